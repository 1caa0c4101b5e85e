"""Ctrl-C while Python calls R, or R calls Python: heard at once, and harmless afterwards."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from r_bridge import interrupts
from r_bridge.from_r.guarded_calls import answered
from r_bridge.to_r import session

ROOT = Path(__file__).parents[2]
PRESSED = """function(n, seconds) {
  for (k in seq_len(n)) tools::pskill(Sys.getpid(), tools::SIGINT)
  end <- Sys.time() + seconds
  while (Sys.time() < end) NULL
  7
}"""
# A large forest makes a file when it begins, from within R.
SIGNALLING = """
import os, sys
from r_bridge.to_r.rf10000 import RF10000
source = RF10000.in_r
sign = '  if (ntree > 1000) file.create(Sys.getenv("SIGN"))\\n'
RF10000.in_r = source.replace("  forest <-", sign + "  forest <-")
assert RF10000.in_r != source
"""
SHELL = SIGNALLING + "from hetsel.shell.main import main\nsys.exit(main(sys.argv[1:]))"
SURVIVES = (
    SIGNALLING
    + """
import pandas as pd
from hetsel import get_method
from r_bridge.to_r import session
table = pd.read_csv(sys.argv[1])
X, y = table.drop(columns="y"), table["y"]
def state(): return list(session.call(
    "function() { stats::runif(1); c(sink.number(), get('.Random.seed', globalenv())) }"
))
def seeded(): session.call("function() set.seed(7)"); return state()
def few(): return get_method("rf10000")(ntree=20).fit(X, y).frame()["importance"].tolist()
before, ranked = seeded(), few()
session.call("function() set.seed(7)")
try:
    get_method("rf10000")(ntree=100_000).fit(X, y)
    print("deaf")
except KeyboardInterrupt:
    print("heard")
assert state() == before
assert all(few() == ranked for _ in range(30))
print("alive")
"""
)

# A Python that is ended by Ctrl-C the first, the second... time that it is started.
ASKED = """#!/bin/sh
echo started >> starts
if [ "$(wc -l < starts)" -eq {start} ]; then
  kill -INT "$R_PID"
  exit 130
fi
exec '{python}' "$@"
"""
ASKING = """
library(hetsel)
Sys.setenv(R_PID = Sys.getpid())
asked <- function() nrow(hetsel_methods()) > 10
cat(tryCatch(asked(), interrupt = function(i) "interrupt"), asked())
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """300 rows of 60 numbers, which take 10,000 trees many seconds."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 60))).add_prefix("x")
    frame["y"] = np.tile(["a", "b"], 150)
    path = tmp_path_factory.mktemp("table") / "table.csv"
    frame.to_csv(path, index=False)
    return str(path)


def interrupted(code, sign, *arguments):
    """A Python that gets SIGINT once its forest grows: what it printed, exit code, seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SIGN": str(sign)},
    )
    while not sign.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    return *process.communicate(timeout=200), process.returncode


def test_the_shell_ends_with_130_while_the_forest_grows(table, tmp_path):
    arguments = ("rank", table, "--target", "y", "--method", "rf10000")
    output, errors, code = interrupted(SHELL, tmp_path / "sign", *arguments)
    assert (output, code) == ("", 130), errors
    assert "hetsel: interrupted" in errors
    assert "Exception ignored" not in errors


def test_after_an_interrupted_forest_r_is_as_it_was(table, tmp_path):
    output, errors, code = interrupted(SURVIVES, tmp_path / "sign", table)
    assert (output.split(), code) == (["heard", "alive"], 0), errors


@pytest.mark.parametrize("presses", [1, 3])
def test_r_is_interrupted_and_ready_for_the_next_call(presses):
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            session.call(PRESSED, presses, 600.0)
        assert session.call(PRESSED, 0, 0.0)[0] == 7
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_a_press_tore_r_away_from_is_done_anew_without_a_word():
    """R warns of it at the next use, whoever uses it: as a function that was being loaded."""
    loaded = """function() {
      first <- TRUE
      delayedAssign("value", if (first) { first <- FALSE; stop("torn") } else 7)
      try(value, silent = TRUE)
      value
    }"""
    assert session.call(loaded)[0] == 7


def test_a_press_that_r_cannot_hear_comes_when_r_is_done():
    source = PRESSED.replace("for (", "suspendInterrupts(for (").replace("SIGINT)\n", "SIGINT))\n")
    with pytest.raises(KeyboardInterrupt):
        session.call(source, 1, 0.0)
    assert session.call("sum", 1.0)[0] == 1


def test_who_defers_the_first_press_gets_it_and_the_second_one_interrupts_r():
    deferred = []
    before = signal.signal(signal.SIGINT, lambda *_: deferred.append("heard"))
    try:
        assert session.call(PRESSED, 1, 0.3)[0] == 7
        assert deferred == ["heard"]
        with pytest.raises(KeyboardInterrupt):
            session.call(PRESSED, 2, 600.0)
    finally:
        signal.signal(signal.SIGINT, before)


def test_presses_that_are_ignored_stay_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert session.call(PRESSED, 1, 0.0)[0] == 7
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_event_loop_hears_of_signals_that_come_while_r_works():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing)
    try:
        with pytest.raises(KeyboardInterrupt):
            session.call(PRESSED, 1, 600.0)
        assert signal.set_wakeup_fd(before) == writing
        assert signal.SIGINT in os.read(reading, 16)
    finally:
        signal.set_wakeup_fd(before)
        os.close(reading)
        os.close(writing)


def lost():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def turned():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise SystemError("returned a result with an exception set") from None


@pytest.mark.parametrize("work", [lost, turned, lambda: signal.raise_signal(signal.SIGINT)])
def test_an_interrupt_is_one_whatever_compiled_code_makes_of_it(work):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interrupts.ctrl_c_heard():
        work()
    assert signal.getsignal(signal.SIGINT) is before
    assert answered(work, None).interrupted is True
    assert signal.getsignal(signal.SIGINT) is before


def test_other_errors_and_threads_pass_the_guard():
    with pytest.raises(SystemError), interrupts.ctrl_c_heard():
        raise SystemError
    inside = []

    def work():
        with interrupts.ctrl_c_heard():
            inside.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert inside == [signal.default_int_handler]


@pytest.mark.parametrize("start", [1, 2])  # that which hetsel looks at, that which reticulate does
def test_a_press_that_ends_the_python_that_r_asks_is_an_interrupt(r_library, tmp_path, start):
    python = tmp_path / "python"
    python.write_text(ASKED.format(start=start, python=sys.executable))
    python.chmod(0o755)
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", ASKING],
        cwd=tmp_path,
        env={**os.environ, "R_LIBS": r_library, "RETICULATE_PYTHON": str(python)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["interrupt", "TRUE"], done.stderr
    assert len((tmp_path / "starts").read_text().split()) > start


def test_a_few_of_the_campaign_of_interrupts(r_library):
    campaign = [sys.executable, str(ROOT / "tests/arena/campaigns/interrupts.py")]
    options = ["--seed", "0", "--count", "2", "--after", "2", "--r", "many", "--shell", "inspect"]
    done = subprocess.run(
        [*campaign, *options],
        env={**os.environ, "R_LIBS": r_library, "RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "4 interrupts, 0 wrong" in done.stdout
