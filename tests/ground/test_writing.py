"""Files are whole or as they were: after errors, interruptions, a full disk and a kill."""

import ast
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from hetsel.ground import writing
from hetsel.ground.writing import csv, write_files

ROOT = Path(__file__).parents[2]


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def half(file):
    file.write(b"half")
    raise RuntimeError("no more")


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_text_bytes_and_what_a_function_writes(tmp_path):
    frame = pd.DataFrame({"name": ["ä", "b,c"], "value": [1.5, None]})
    one, two, three = (tmp_path / name for name in "abc")
    assert write_files({one: "ä\n", str(two): b"\xff", three: csv(frame)}) == [one, two, three]
    assert content(tmp_path) == {
        "a": b"\xc3\xa4\n",
        "b": b"\xff",
        "c": 'name,value\nä,1.5\n"b,c",\n'.replace("\n", os.linesep).encode(),
    }


def test_a_failure_replaces_nothing_and_leaves_no_draft(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(RuntimeError):
        write_files({tmp_path / "a": "new", tmp_path / "b": "new", tmp_path / "c": half})
    assert content(tmp_path) == {"a": b"old"}


def test_half_a_character_is_written_as_its_escape(tmp_path):
    write_files({tmp_path / "a": "ä\ud800"})
    assert content(tmp_path) == {"a": b"\xc3\xa4\\ud800"}


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("error", [KeyboardInterrupt, PermissionError(13, "Permission denied")])
def test_what_was_moved_goes_back_if_the_next_cannot_be(tmp_path, monkeypatch, error, links):
    (tmp_path / "a").write_text("old")
    (tmp_path / "c").write_text("old")
    move = os.replace

    def replace(draft, path):
        if Path(path).name == "c":
            raise error
        move(draft, path)

    def no_links(*_):
        raise OSError("no links here")

    monkeypatch.setattr(writing.os, "replace", replace)
    if not links:
        monkeypatch.setattr(writing.os, "link", no_links)
    with pytest.raises((KeyboardInterrupt, PermissionError)):
        write_files({tmp_path / name: "new" for name in "abc"})
    assert content(tmp_path) == {"a": b"old", "c": b"old"}
    monkeypatch.undo()
    write_files({tmp_path / name: "new" for name in "abc"})
    assert content(tmp_path) == dict.fromkeys("abc", b"new")


def test_a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(tmp_path, umask):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("")
    old.chmod(0o606)
    write_files({new: "x", old: "x"})
    assert (new.stat().st_mode & 0o777, old.stat().st_mode & 0o777) == (0o640, 0o606)


def test_a_draft_is_never_readable_where_the_file_is_not(tmp_path):
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o600)
    seen = []

    def write(file):
        (draft,) = (p for p in tmp_path.iterdir() if p.name != "secret")
        seen.append(draft.stat().st_mode & 0o777)

    write_files({path: write})
    assert seen == [0o600]


def test_a_draft_that_somebody_has_put_there_is_not_followed(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    monkeypatch.setattr(writing.secrets, "token_hex", lambda n: "guessed")
    (tmp_path / ".hetsel-guessed.csv").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_files({tmp_path / "a.csv": "x"})
    assert victim.read_text() == "mine"


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to(Path("folder") / "real.csv")
    for text in ("new", "newer"):
        write_files({link: text})
        assert link.is_symlink()
        assert content(tmp_path / "folder") == {"real.csv": text.encode()}


def test_one_file_under_two_names_is_refused(tmp_path):
    with pytest.raises(ValueError, match="named twice"):
        write_files({tmp_path / "a": "1", tmp_path / "." / "b" / ".." / "a": "2"})
    assert content(tmp_path) == {}


def test_what_is_no_file_is_refused_by_its_name(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileNotFoundError, match=r"none/a\.csv .* no folder .*none\. Create"):
        write_files({tmp_path / "none/a.csv": "x"})
    for name in ("pipe", "folder"):
        with pytest.raises(OSError, match=name) as caught:
            write_files({tmp_path / name: "x"})
        assert caught.value.filename == str(tmp_path / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "pipe"]


# a limit on the size of files, whose signal is ignored, answers as a full disk does
FULL = """
import resource, signal, sys
import pandas as pd
from hetsel.ground import writing
from hetsel.shell import main as shell
from hetsel.tables.table import Schema
sys.dont_write_bytecode = True  # Python would keep half of a module
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
"""
EXPORT = """
import pandas as pd
from hetsel.study.results import Results
class Found(Results):
    def __init__(self):
        self.datasets = dict.fromkeys(("one", "two"), {"target": "classes"})
    def frame(self): return pd.DataFrame({"x": range(9)})
    summary = failures = absent_classes = tuned = frame
    def _named_orders(self, dataset): return pd.DataFrame({"x": range(999 * (dataset == "two"))})
try:
    Found().export(".")
except OSError as reason:
    sys.exit(f"hetsel: error: {reason}".lower())
"""
FIGURE = """
from hetsel.report.figures.figure_style import new_figure, save_figure
try:
    save_figure(new_figure(2), "figure.png")
except OSError as reason:
    sys.exit(f"hetsel: error: {reason}".lower())
"""
SHELL = "sys.exit(shell.main(sys.argv[1:]))"
DISK = {
    "export": ([EXPORT], "rankings_two.csv"),
    "figure": ([FIGURE], "figure.png"),
    "plot": ([SHELL, "rank", "--out", "ranking.csv", "--plot", "plot.svg"], "plot.svg"),
    "schema": ([SHELL, "inspect", "--save-schema", "schema.json"], "schema.json"),
}
FILES = ("rankings_one.csv", "rankings_two.csv", "scores.csv", "summary.csv", "failures.csv")
FILES += ("tuned.csv",)
FILES += ("figure.png", "ranking.csv", "plot.svg", "schema.json")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "file"), DISK.values(), ids=DISK)
def test_a_full_disk_ends_in_a_sentence_and_leaves_the_old_file(tmp_path, command, file):
    for name in FILES:
        (tmp_path / name).write_text("old")
    code, *arguments = command
    if arguments:
        arguments[1:1] = ["heart", "--drop", "thal"]
    if "rank" in arguments:
        arguments += ["--method", "random-forest", "--param", "n_estimators=2"]
    done = subprocess.run(
        [sys.executable, "-c", FULL + code, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1, done.stderr
    (sentence,) = [x for x in done.stderr.splitlines() if x.startswith("hetsel: error: ")]
    assert file in sentence
    assert "file too large" in sentence  # on a full disk: no space left on device
    found = content(tmp_path)
    if file == "plot.svg":  # an option of its own, whose file fits
        assert found.pop("ranking.csv").count(b"\n") == 13
    assert found == {name: b"old" for name in FILES if name in found}
    assert set(FILES) - set(found) == ({"ranking.csv"} if file == "plot.svg" else set())


DYING = """
import os, signal, sys
from hetsel.ground.writing import write_files

folder, last, seen = sys.argv[1], int(sys.argv[2]), 0

def step(*_):
    global seen
    seen += 1
    if seen == last:
        os.kill(os.getpid(), signal.SIGKILL)

def in_halves(file):
    file.write(b"0123456\\n")
    file.flush()
    step()
    file.write(b"89abcde\\n")

STEPS = ("open", "os.rename", "os.link", "os.remove")
sys.addaudithook(lambda event, _: step() if event in STEPS else None)
for turn in range(2):
    write_files({f"{folder}/{name}.csv": in_halves for name in "abc"})
"""


@pytest.mark.slow
def test_a_process_that_is_killed_at_any_step_leaves_whole_files(tmp_path):
    found = []
    for last in itertools.count(1):
        folder = tmp_path / str(last)
        folder.mkdir()
        command = [sys.executable, "-c", DYING, str(folder), str(last)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        files = [path for path in folder.iterdir() if not path.name.startswith(".hetsel-")]
        assert {path.read_bytes() for path in files} <= {b"0123456\n89abcde\n"}
        found.append(len(files))
        if done.returncode == 0:  # there was no such step
            break
    assert found[0] == 0
    assert sorted(found[:10]) == found[:10]  # the first files come one by one
    assert set(found) == {0, 1, 2, 3}
    assert len(found) > 20


PLACES = {"hetsel/ground/writing.py", "hetsel/study/store/sqlite_store.py"}
PLACES |= {"hetsel/compiling/code_cache.py"}  # a folder of files, which appears as a whole


@pytest.mark.seconds
def test_no_other_code_writes_files():
    files = [*ROOT.glob("hetsel/**/*.py"), *ROOT.glob("r_bridge/**/*.py")]
    others = [path for path in files if str(path.relative_to(ROOT)) not in PLACES]
    assert [str(path) for path in others if writes(path)] == []
    assert writes(ROOT / "hetsel" / "compiling" / "code_cache.py")


def writes(path):
    """Whether the code in a file writes files."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    for call in calls:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name in ("write_text", "write_bytes", "mkstemp", "NamedTemporaryFile"):
            return True
        if name in ("to_csv", "savefig") and getattr(call.args[0], "id", "") not in (
            *("buffer", "file"),  # in memory, or a draft
        ):
            return True
        if name == "open" and getattr(getattr(call.func, "value", None), "id", "") != "os":
            modes = [a.value for a in call.args if isinstance(a, ast.Constant)]
            modes += [k.value.value for k in call.keywords if k.arg == "mode"]
            if any(set("wax+") & set(str(mode)) for mode in modes):
                return True
    return False
