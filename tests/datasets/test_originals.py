"""Where the original files come from: HETSEL_DATA, the cache, one download from a local server."""

import contextlib
import dataclasses
import hashlib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hetsel.datasets import load, sources
from hetsel.datasets.sources import SOURCES, Original, cache_folder, required_data_folder
from hetsel.ground.errors import TableError

CONTENT = b"1,2,?\n3,4,x\n" * 20_000  # more than one chunk
SUM = hashlib.sha256(CONTENT).hexdigest()
OTHER = b"<html>moved</html>"
PATH = "set/file.data"
HEPATITIS = b"""\
2,30,2,1,2,2,2,2,1,2,2,2,2,2,1.00,85,18,4.0,?,1
1,50,1,1,2,1,2,2,1,2,2,2,2,2,0.90,?,42,3.5,?,1
"""


class Archive(BaseHTTPRequestHandler):
    """A small archive that is not always well."""

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path == "/gone.data":
            self.send_error(404)
            return
        if self.path == "/slow.data":
            self.server.closing.wait(5)
            return
        if self.path == "/drip.data":
            self.send_response(200)
            self.end_headers()
            while not self.server.closing.wait(0.02):
                self.wfile.write(b"1,2\n")
            return
        if self.path == "/endless.data":
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                while not self.server.closing.is_set():
                    self.wfile.write(CONTENT)
            return
        if self.path in ("/huge.data", "/odd.data"):
            self.send_response(200)
            self.send_header("Content-Length", "9" * 12 if self.path == "/huge.data" else "many")
            self.end_headers()
            self.wfile.write(CONTENT)
            return
        if self.path.startswith("/round"):
            self.send_response(302)
            self.send_header("Location", self.path)
            self.end_headers()
            return
        if self.path == "/local.data":
            self.send_response(302)
            self.send_header("Location", "file:///etc/hostname")
            self.end_headers()
            return
        late = self.path in ("/busy.data", "/torn.data")
        if late and self.server.asked.count(self.path) < 3:
            if self.path == "/busy.data":
                self.send_error(503)
            else:
                self.send_response(200)
                self.send_header("Content-Length", str(len(CONTENT)))
                self.end_headers()
                self.wfile.write(OTHER)
            return
        body = {"/other.data": OTHER, "/hepatitis.data": HEPATITIS}.get(self.path, CONTENT)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:70_000] if self.path == "/short.data" else body)

    def log_message(self, *_):
        pass


@pytest.fixture
def archive():
    with ThreadingHTTPServer(("127.0.0.1", 0), Archive) as server:
        server.asked, server.closing = [], threading.Event()
        server.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.closing.set()
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("HETSEL_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(sources, "PAUSES", (0, 0))
    monkeypatch.setenv("HETSEL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def original(archive, name="good.data"):
    return Original(PATH, SUM, f"{archive.address}/{name}")


def left(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_one_download_serves_for_good(archive, cache):
    for _ in range(3):
        assert original(archive).fetch() == cache / PATH
    assert (cache / PATH).read_bytes() == CONTENT
    assert archive.asked == ["/good.data"]
    assert left(cache) == [PATH]


def test_a_loader_reads_what_was_downloaded(archive, cache, monkeypatch):
    source, address = SOURCES["hepatitis"], f"{archive.address}/hepatitis.data"
    made = Original(source.originals[0].path, hashlib.sha256(HEPATITIS).hexdigest(), address)
    local = dataclasses.replace(source, originals=(made,))
    monkeypatch.setitem(SOURCES, "hepatitis", local)
    for _ in range(2):
        data = load("hepatitis")
        assert data.X.shape == (2, 19)
        assert data.X["age"].tolist() == [30.0, 50.0]
        assert data.y.tolist() == [1, 0]
    assert archive.asked == ["/hepatitis.data"]
    assert left(cache) == ["hepatitis/hepatitis.data"]


def test_a_damaged_file_in_the_cache_is_downloaded_again(archive, cache):
    (cache / PATH).parent.mkdir(parents=True)
    (cache / PATH).write_bytes(CONTENT[:-1])
    assert original(archive).fetch().read_bytes() == CONTENT
    assert archive.asked == ["/good.data"]


def test_downloads_at_the_same_time_end_in_one_whole_file(archive, cache):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: original(archive).fetch().read_bytes(), range(8)))
    assert set(found) == {CONTENT}
    assert left(cache) == [PATH]


def refused(original, *words):
    """The error says these words, and what helps: the file, HETSEL_DATA, the sum."""
    with pytest.raises(TableError) as caught:
        original.fetch()
    for word in (*words, PATH, "HETSEL_DATA", SUM):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("other.data", ["has another file now", hashlib.sha256(OTHER).hexdigest()]),
        ("gone.data", ["download of http://127.0.0.1:", "404", "Not Found"]),
        ("short.data", [f"the connection broke after 70000 of {len(CONTENT)} bytes"]),
        ("slow.data", ["timed out"]),
    ],
)
def test_a_download_that_fails_says_why_and_leaves_nothing(
    name, words, archive, cache, monkeypatch
):
    monkeypatch.setattr(sources, "TIMEOUT", 0.3 if name == "slow.data" else 30)
    refused(original(archive, name), *words)
    assert left(cache) == []


@pytest.mark.parametrize("name", ["busy.data", "torn.data"])
def test_a_server_that_is_well_at_the_third_attempt_is_asked_three_times(name, archive, cache):
    assert original(archive, name).fetch().read_bytes() == CONTENT
    assert archive.asked == [f"/{name}"] * 3
    assert left(cache) == [PATH]


@pytest.mark.parametrize(
    ("name", "times"), [("gone.data", 1), ("other.data", 1), ("short.data", 3)]
)
def test_only_what_may_pass_is_tried_again(name, times, archive, cache):
    refused(original(archive, name))
    assert archive.asked == [f"/{name}"] * times


def test_a_download_without_end_is_given_up(archive, cache, monkeypatch):
    monkeypatch.setattr(sources, "LONGEST", 0.3)
    refused(original(archive, "drip.data"), "not finished after 0.3 s", "bytes")
    assert left(cache) == []
    assert archive.asked == ["/drip.data"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("endless.data", ["more than 1,000,000 bytes"]),
        ("huge.data", ["announces 999,999,999,999 bytes"]),
        ("round.data", ["infinite loop"]),
        ("local.data", ["not allowed"]),
    ],
)
def test_what_has_no_end_is_too_large_or_leads_elsewhere_is_refused(
    name, words, archive, cache, monkeypatch
):
    monkeypatch.setattr(sources, "LARGEST", 1_000_000)
    refused(original(archive, name), *words)
    assert left(cache) == []


def test_a_length_that_is_no_number_counts_as_none(archive, cache):
    assert original(archive, "odd.data").fetch().read_bytes() == CONTENT


def test_a_failed_download_leaves_the_kept_file_alone(archive, cache):
    (cache / PATH).parent.mkdir(parents=True)
    (cache / PATH).write_bytes(b"older")
    refused(original(archive, "gone.data"), "404")
    assert (cache / PATH).read_bytes() == b"older"
    assert left(cache) == [PATH]


def test_nobody_answers():
    with socket.socket() as idle:  # a port that nothing ever listened on
        idle.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{idle.getsockname()[1]}/good.data"
        refused(Original(PATH, SUM, closed), "failed (", "refused")


def test_a_cache_that_cannot_be_written(archive, cache):
    cache.write_text("a file, not a folder")
    refused(original(archive), "failed (", "cache")


def test_a_file_without_an_address(cache):
    refused(Original(PATH, SUM), "cannot be downloaded", "set HETSEL_DATA to it")
    refused(Original(PATH, SUM, hint="In R: write.csv(x)"), "In R: write.csv(x)")
    (cache / PATH).parent.mkdir(parents=True)
    (cache / PATH).write_bytes(CONTENT)  # put there by hand
    assert Original(PATH, SUM).fetch() == cache / PATH
    (cache / PATH).write_bytes(b"")
    empty = hashlib.sha256(b"").hexdigest()
    with pytest.raises(TableError, match=f"must be {SUM}. Got {empty}: replace the file"):
        Original(PATH, SUM).fetch()


def test_the_folder_of_the_environment_comes_first(archive, tmp_path, monkeypatch, cache):
    given = tmp_path / "data" / PATH
    given.parent.mkdir(parents=True)
    given.write_bytes(CONTENT)
    monkeypatch.setenv("HETSEL_DATA", str(tmp_path / "data"))
    assert original(archive).fetch() == given
    assert archive.asked == []
    given.write_bytes(OTHER)
    with pytest.raises(TableError) as caught:
        original(archive).fetch()
    for word in (str(given), SUM, hashlib.sha256(OTHER).hexdigest()):
        assert word in str(caught.value)
    assert archive.asked == []
    given.unlink()
    assert original(archive).fetch() == cache / PATH


def test_a_package_that_carries_the_file_comes_before_the_cache(tmp_path, monkeypatch, cache):
    carried = tmp_path / "carrier" / "data" / "file.data"
    carried.parent.mkdir(parents=True)
    (tmp_path / "carrier" / "__init__.py").write_text("raise RuntimeError('it is not loaded')")
    carried.write_bytes(CONTENT)
    monkeypatch.syspath_prepend(tmp_path)
    one = Original(PATH, SUM, package=("carrier", "data/file.data"))
    assert one.fetch() == carried
    carried.write_bytes(OTHER)  # another version of the package has another file
    refused(one, "cannot be downloaded")
    refused(Original(PATH, SUM, package=("no_such_carrier", "file.data")), "cannot be downloaded")


def test_programs_that_read_originals_say_that_the_folder_is_not_set(tmp_path, monkeypatch):
    with pytest.raises(TableError, match="HETSEL_DATA must name the folder.*It is not set"):
        required_data_folder()
    monkeypatch.setenv("HETSEL_DATA", str(tmp_path))
    assert required_data_folder() == tmp_path


def test_a_folder_that_lacks_the_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HETSEL_DATA", str(tmp_path))
    refused(Original(PATH, SUM), f"in {tmp_path} (HETSEL_DATA)")


def test_the_folder_of_the_environment_must_exist(monkeypatch):
    monkeypatch.setenv("HETSEL_DATA", "/no/such/folder")
    with pytest.raises(TableError, match="must name a folder that exists. Got '/no/such/folder'"):
        Original(PATH, SUM).fetch()


def test_a_folder_may_be_given_from_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "file.data").write_bytes(CONTENT)
    monkeypatch.setenv("HETSEL_DATA", "~")
    assert Original("file.data", SUM).fetch() == tmp_path / "file.data"


def test_the_cache_of_each_platform():
    home = Path.home()
    assert cache_folder({}, "linux") == home / ".cache" / "hetsel"
    assert cache_folder({"XDG_CACHE_HOME": "/x"}, "linux") == Path("/x/hetsel")
    assert cache_folder({}, "darwin") == home / "Library" / "Caches" / "hetsel"
    assert cache_folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/hetsel/Cache")
    assert cache_folder({}, "win32") == home / "AppData" / "Local" / "hetsel" / "Cache"
    for platform in ("linux", "darwin", "win32"):
        assert cache_folder({"HETSEL_CACHE": "~/own"}, platform) == home / "own"
