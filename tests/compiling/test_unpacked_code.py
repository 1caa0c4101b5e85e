"""The archive of a wheel is unpacked once, whole, where there is a place for it."""

import io
import os
import tarfile

import pytest

from hetsel.compiling.code_cache import shipped_code

FILES = {"x86-64-v3/a.nbc": b"code of a", "x86-64-v3/b.nbc": b"code of b", "x86-64-v4/a.nbc": b"x"}


@pytest.fixture
def package(tmp_path):
    """A folder of hetsel with an archive in it."""
    folder = tmp_path / "hetsel"
    folder.mkdir()
    pack(folder / "machine_code-0123.tar.xz", FILES)
    return folder


def pack(path, files):
    with tarfile.open(path, "w:xz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def content(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_code_is_unpacked_beside_its_archive(package, tmp_path):
    folder = shipped_code(package, str(tmp_path / "cache"))
    assert folder == package / "machine_code-0123"
    assert content(folder) == FILES
    assert not (tmp_path / "cache").exists()
    assert list(package.glob(".*")) == []  # no draft is left


def test_code_is_unpacked_once(package):
    (shipped_code(package) / "x86-64-v3" / "a.nbc").write_bytes(b"as it was left")
    assert content(shipped_code(package))["x86-64-v3/a.nbc"] == b"as it was left"


def test_without_an_archive_the_folder_is_the_one_of_a_checkout(tmp_path):
    assert shipped_code(tmp_path) == tmp_path / "machine_code"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_package_that_cannot_be_written_to_unpacks_in_the_cache(package, tmp_path):
    package.chmod(0o555)
    try:
        folder = shipped_code(package, str(tmp_path / "cache"))
    finally:
        package.chmod(0o755)
    assert folder == tmp_path / "cache" / "machine_code-0123"
    assert content(folder) == FILES


def test_where_a_file_is_in_the_way_the_cache_is_taken(package, tmp_path):
    (package / "machine_code-0123").write_text("a file, not a folder")
    folder = shipped_code(package, str(tmp_path / "cache"))
    assert folder == tmp_path / "cache" / "machine_code-0123"
    assert content(folder) == FILES


@pytest.mark.parametrize("damage", [lambda w: w[: len(w) // 2], lambda w: b"no archive"])
def test_a_damaged_archive_leaves_nothing(package, tmp_path, damage):
    archive = package / "machine_code-0123.tar.xz"
    archive.write_bytes(damage(archive.read_bytes()))
    assert shipped_code(package, str(tmp_path / "cache")) == package / "machine_code"
    assert [f for f in package.iterdir() if f != archive] == []


def test_no_member_leaves_the_folder(package):
    pack(package / "machine_code-4567.tar.xz", {"../../outside/a.nbc": b"x", "/etc/b.nbc": b"y"})
    folder = shipped_code(package)
    assert content(folder) == {"outside/a.nbc": b"x", "etc/b.nbc": b"y"}


def test_a_user_without_a_home_has_no_cache(package, monkeypatch, tmp_path):
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as where there is none
    monkeypatch.chdir(tmp_path)
    (package / "machine_code-0123").write_text("a file, not a folder")
    assert shipped_code(package) == package / "machine_code"
    assert [f.name for f in tmp_path.iterdir()] == ["hetsel"]
