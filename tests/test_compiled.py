"""Compiled functions: a cache that cannot be written, read or trusted is no error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RANK = ["rank", "heart", "--method", "random-forest", "--param", "n_estimators=3"]
# no place can be written to, not even by root
NOWHERE = """
import tempfile, sys
from numba.core import caching
def refuse(self):
    raise OSError(30, "Read-only file system", self.get_cache_path())
caching._CacheLocator.ensure_cache_path = refuse
from hetsel.shell import main as shell
"""
COMPILE = """
import sys
from hetsel.shell import main as shell
from hetsel.methods.embedded import random_forest
code = shell.main(sys.argv[1:])
print(random_forest._accuracy_drops.stats.cache_hits.total(), file=sys.stderr)
sys.exit(code)
"""


def python(code, *arguments, cache=None):
    """Run code in a process of its own: exit code, stdout, lines of stderr."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_CACHE")}
    if cache is not None:
        variables["NUMBA_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=variables,
    )
    return done.returncode, done.stdout, done.stderr.splitlines()


def results(out):
    """What was printed, without the seconds in its first line."""
    return out.splitlines()[1:]


def kept(cache, ending):
    return sorted(cache.rglob(f"*_accuracy_drops*{ending}"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache that one run has filled, and what the run printed."""
    cache = tmp_path_factory.mktemp("cache")
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert code == 0, err
    assert kept(cache, ".nbi")
    assert kept(cache, ".nbc")
    return cache, results(out)


@pytest.mark.slow
def test_a_second_run_reads_what_the_first_one_kept(filled):
    cache, expected = filled
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "1")
    assert not any("not kept" in line for line in err)


@pytest.mark.slow
def test_the_shell_says_once_that_it_compiles_and_only_when_it_does(filled, tmp_path):
    cold = python(COMPILE, *RANK, cache=tmp_path)[2]
    (line,) = [line for line in cold if "compiling" in line]
    assert line.startswith("hetsel: note: ")
    assert not any("compiling" in line for line in python(COMPILE, *RANK, cache=filled[0])[2])


@pytest.mark.slow
def test_where_nothing_can_be_written_commands_work_and_say_so(filled, tmp_path):
    code, out, err = python(NOWHERE + "sys.exit(shell.main(sys.argv[1:]))", *RANK, cache=tmp_path)
    assert code == 0, err
    assert results(out) == filled[1]
    (note,) = [line for line in err if "not kept" in line]
    assert note.startswith("hetsel: note: ")
    assert "read-only file system" in note
    assert "NUMBA_CACHE_DIR" in note
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.slow
def test_a_filled_cache_that_cannot_be_written_is_read(filled):
    cache, expected = filled
    code, out, err = python(NOWHERE + COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "1")
    assert not any("not kept" in line for line in err)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "content"),
    [(".nbi", b""), (".nbi", b"\x80\x05no pickle"), (".nbc", None)],
    ids=["empty index", "junk as index", "cut code"],
)
def test_a_damaged_file_of_the_cache_is_replaced(filled, ending, content):
    cache, expected = filled
    (path,) = kept(cache, ending)
    path.write_bytes(path.read_bytes()[:-20] if content is None else content)
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "0")
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "1")


@pytest.mark.slow
def test_a_full_disk_is_no_error(filled, tmp_path):
    # files of more than 2 kB cannot be written: the system says so as if the disk were full
    full = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    code, out, err = python(full + COMPILE, *RANK, cache=tmp_path)
    assert (code, results(out)) == (0, filled[1])
    assert sum("not kept" in line and "file too large" in line for line in err) == 1
