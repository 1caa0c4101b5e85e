"""Compiled functions: a cache that cannot be written, read or trusted is no error."""

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hetsel.compiling import code_cache
from hetsel.compiling.code_cache import CodeFiles

ROOT = Path(__file__).parents[2]
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
print(random_forest._error_rises.stats.cache_hits.total(), file=sys.stderr)
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
    return sorted(cache.rglob(f"*_error_rises*{ending}"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache that one run has filled, what the run printed and what it said."""
    cache = tmp_path_factory.mktemp("cache")
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert code == 0, err
    assert kept(cache, ".nbc")
    assert not list(cache.rglob("*.lock"))
    return cache, results(out), err


@pytest.mark.slow
def test_a_second_run_reads_what_the_first_one_kept_and_the_first_alone_compiles(filled):
    cache, expected, cold = filled
    code, out, err = python(COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "1")
    assert not any("NUMBA_CACHE_DIR" in line for line in err)
    (line,) = [line for line in cold if "compiling" in line]
    assert line.startswith("hetsel: note: ")
    assert not any("compiling" in line for line in err)


@pytest.mark.slow
def test_where_nothing_can_be_written_commands_work_and_say_so(filled, tmp_path):
    code, out, err = python(NOWHERE + "sys.exit(shell.main(sys.argv[1:]))", *RANK, cache=tmp_path)
    assert code == 0, err
    assert results(out) == filled[1]
    (note,) = [line for line in err if "NUMBA_CACHE_DIR" in line]
    assert note.startswith("hetsel: note: ")
    assert "read-only file system" in note
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.slow
def test_a_filled_cache_that_cannot_be_written_is_read(filled):
    cache, expected, _ = filled
    code, out, err = python(NOWHERE + COMPILE, *RANK, cache=cache)
    assert (code, results(out), err[-1]) == (0, expected, "1")
    assert not any("NUMBA_CACHE_DIR" in line for line in err)


TOTAL = """
import numpy as np
from hetsel.compiling.compiled import compiled, examine_code
from constants import OFFSET, part

@compiled
def total(x):
    s = OFFSET
    for i in range(x.shape[0]):
        s += part(x[i]) * (i % 3)
    return s

@compiled
def other(x):
    return x.sum() - 1.0

if __name__ == "__main__":
    print(total(np.arange(10.0)), other(np.arange(10.0)))
    print(total.stats.cache_hits.total(), other.stats.cache_hits.total(), examine_code()["damaged"])
"""
PART = """
from hetsel.compiling.compiled import compiled
OFFSET = 0.5

@compiled
def part(x):
    return x
"""


class Work:
    """Two functions that are compiled in a folder of their own; one takes things from elsewhere."""

    def __init__(self, folder):
        self.folder, self.cache = folder, folder / "cache"
        (folder / "totals.py").write_text(TOTAL)
        (folder / "constants.py").write_text(PART)

    def start(self):
        variables = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache)}
        variables["PYTHONPATH"] = f"{ROOT}{os.pathsep}{variables.get('PYTHONPATH', '')}"
        return subprocess.Popen(
            [sys.executable, str(self.folder / "totals.py")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=variables,
        )

    def run(self):
        """The two totals, and how often code was found, by function, and damaged files."""
        process = self.start()
        out, err = process.communicate()
        assert process.returncode == 0, (process.returncode, err)
        assert err == ""
        totals, counts = out.splitlines()
        return totals, [int(count) for count in counts.split()]

    def code(self, name):
        (path,) = self.cache.rglob(f"totals.{name}-*.nbc")
        return path


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    work = Work(tmp_path_factory.mktemp("work"))
    assert work.run() == ("42.5 44.0", [0, 0, 0])
    assert work.run() == ("42.5 44.0", [1, 1, 0])
    return work


def flipped(content, place):
    content = bytearray(content)
    content[place % len(content)] ^= 4
    return bytes(content)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other"),  # damages of the code of two functions
    [
        (lambda content: b"", lambda content: content[:10]),
        (lambda content: content[:-20], lambda content: flipped(content, 3)),
        (lambda content: flipped(content, 60), lambda content: flipped(content, -1)),
        (lambda content: flipped(content, len(content) // 2), None),
    ],
    ids=["empty; head", "cut; bit of the sum", "bit of the key; last bit", "bit of code; none"],
)
def test_a_damaged_file_is_never_loaded_and_is_replaced(work, one, other):
    for name, damage in (("total", one), ("other", other)):
        if damage:
            path = work.code(name)
            path.write_bytes(damage(path.read_bytes()))
    assert work.run() == ("42.5 44.0", [0, int(other is None), 0])
    assert work.run() == ("42.5 44.0", [1, 1, 0])


@pytest.mark.slow
def test_files_that_changed_places_are_not_taken_for_each_other(work):
    one, other = work.code("total"), work.code("other")
    kept = one.read_bytes(), other.read_bytes()
    one.write_bytes(kept[1])
    other.write_bytes(kept[0])
    assert work.run() == ("42.5 44.0", [0, 0, 0])
    assert work.run() == ("42.5 44.0", [1, 1, 0])


@pytest.mark.slow
def test_a_folder_in_the_place_of_a_file_is_removed(work):
    path = work.code("total")
    path.unlink()
    path.mkdir()
    assert work.run() == ("42.5 44.0", [0, 1, 0])
    assert path.is_file()


@pytest.mark.slow
def test_a_folder_that_holds_something_stays_and_the_code_is_compiled(work):
    path = work.code("total")
    path.unlink()
    path.mkdir()
    (path / "file").write_text("")
    assert work.run() == ("42.5 44.0", [0, 1, 0])
    (path / "file").unlink()
    assert work.run() == ("42.5 44.0", [0, 1, 0])
    assert work.run() == ("42.5 44.0", [1, 1, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "total"),
    [("OFFSET = 0.5", "OFFSET = 1.5", "43.5"), ("return x", "return 2 * x", "84.5")],
    ids=["constant", "called function"],
)
def test_code_is_compiled_anew_where_what_it_takes_from_another_file_changed(
    tmp_path, old, new, total
):
    work = Work(tmp_path)
    work.run()
    path = tmp_path / "constants.py"
    path.write_text(path.read_text().replace(old, new))
    assert work.run() == (f"{total} 44.0", [0, 1, 0])


@pytest.mark.slow
def test_processes_that_need_the_same_code_compile_it_once(tmp_path):
    work = Work(tmp_path)
    found = [process.communicate()[0].splitlines() for process in [work.start(), work.start()]]
    assert {totals for totals, _ in found} == {"42.5 44.0"}
    assert sum(int(counts.split()[0]) for _, counts in found) == 1
    assert sum(int(counts.split()[1]) for _, counts in found) == 1
    assert not list(work.cache.rglob("*.lock"))


@pytest.mark.slow
def test_a_full_disk_is_no_error(filled, tmp_path):
    # files of more than 2 kB cannot be written: the system says so as if the disk were full
    full = "import resource, signal, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full += "sys.dont_write_bytecode = True\n"  # Python would keep half of a module
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    code, out, err = python(full + COMPILE, *RANK, cache=tmp_path)
    assert (code, results(out)) == (0, filled[1])
    assert sum("NUMBA_CACHE_DIR" in line and "file too large" in line for line in err) == 1


class Late(Exception):
    """What a handler of a time limit raises."""


def _rung():
    """A compiled function that is sent a signal while its machine code runs."""
    from hetsel.compiling.compiled import compiled
    from hetsel.compiling.plain_numba import types

    send = types.ExternalFunction("raise", types.intc(types.intc))
    number = int(signal.SIGUSR1)

    def ring(x):
        send(number)
        return x + 1.0, x - 1.0  # Python code puts a tuple of arrays together, and calls handlers

    return compiled(ring)


def test_what_a_handler_raises_comes_out_of_compiled_code_as_itself():
    ring = _rung()

    def late(number, frame):
        raise Late(number)

    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        assert [part.tolist() for part in ring(np.zeros(1))] == [[1.0], [-1.0]]
        signal.signal(signal.SIGUSR1, late)
        with pytest.raises(Late) as raised:
            ring(np.zeros(1))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert raised.value.args == (signal.SIGUSR1,)
    assert raised.value.__cause__ is None


def test_a_compiled_function_calls_another_and_a_system_error_of_its_own_stays():
    from hetsel.compiling.compiled import _behind, compiled

    @compiled
    def twice(x):
        return 2 * x

    @compiled
    def twice_and_one(x):
        return twice(x) + 1

    assert twice_and_one(4) == 9
    assert pickle.loads(pickle.dumps(twice))(4) == 8
    alone = SystemError("alone")
    assert _behind(alone) is alone


def test_ctrl_c_waits_for_a_compilation_and_the_next_function_compiles(monkeypatch):
    from numba.core.typing.templates import BaseRegistryLoader

    from hetsel.compiling.compiled import compiled

    definitions = BaseRegistryLoader.new_registrations

    def pressed(self, name):
        signal.raise_signal(signal.SIGINT)
        yield from definitions(self, name)

    def twice(x):
        return 2 * x

    def thrice(x):
        return 3 * np.floor(x)

    first = compiled(twice)
    monkeypatch.setattr(BaseRegistryLoader, "new_registrations", pressed)
    with pytest.raises(KeyboardInterrupt):
        first(2)
    monkeypatch.setattr(BaseRegistryLoader, "new_registrations", definitions)
    assert len(first.signatures) == 1
    assert first(2) == 4
    assert compiled(thrice)(2.5) == 6.0


def test_a_file_of_another_user_is_not_read(tmp_path, monkeypatch):
    def half(x):
        return x / 2

    files = CodeFiles(tmp_path, tmp_path / "came", "half", half)
    key = ("float64", ("x86-64-v3", ""), ("code", "closure"))
    files.save(key, {"machine": "code"})
    assert files.load(key) == {"machine": "code"}
    monkeypatch.setattr(code_cache, "_trusted_users", lambda: {-5})
    assert files.load(key) is None
