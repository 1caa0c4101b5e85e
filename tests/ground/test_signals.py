"""Signals that ask a program to end: one exception, whatever becomes of it."""

import importlib
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hetsel.ground import signals

NUMBERS = list(signals.ENDING)
ROOT = Path(signals.__file__).parents[2]
FILES = [*ROOT.glob("hetsel/**/*.py"), *ROOT.glob("r_bridge/**/*.py")]
THREADED = sorted(f for f in FILES if re.search(r"start_new_thread\(|threading\.T", f.read_text()))
# The exception of a signal that comes while an object is deleted is printed and dropped.
DROPPED = """
import signal, time
from hetsel.ground.signals import heard
class Last:
    def __del__(self): signal.raise_signal(signal.SIGINT)
with heard() as hearing:
    try:
        Last()
        time.sleep(5)
        print("deaf")
    except KeyboardInterrupt:
        print("heard")
"""


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_is_an_interrupt_within_and_what_it_was_afterwards(number):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), signals.heard():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_three_in_a_row_do_not_tear_the_cleaning_up():
    cleaned = []
    with signals.heard() as hearing:
        try:
            try:
                signal.raise_signal(signal.SIGTERM)
            finally:
                signal.raise_signal(signal.SIGINT)
                signal.raise_signal(signal.SIGTERM)
                cleaned.append(True)
        except KeyboardInterrupt:
            hearing.patient = True
            assert hearing.heard == [signal.SIGTERM, signal.SIGINT, signal.SIGTERM]
    assert cleaned == [True]


@pytest.mark.slow
def test_an_interrupt_that_is_dropped_comes_again():
    done = subprocess.run(
        [sys.executable, "-c", DROPPED], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")


@pytest.mark.seconds
def test_an_interrupt_amid_an_import_waits_for_its_end(tmp_path, monkeypatch):
    # two modules that refer to one another, as those of matplotlib do
    package = tmp_path / "torn_by_a_signal"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import signal\nfrom torn_by_a_signal import part\n"
        "signal.raise_signal(signal.SIGINT)\nwhole = True\n"
    )
    (package / "part.py").write_text("import torn_by_a_signal as mine\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded = []

    def load_and_wait():
        loaded.append(importlib.import_module("torn_by_a_signal").part.mine.whole)
        time.sleep(5)
        loaded.append("deaf")

    with pytest.raises(KeyboardInterrupt), signals.heard():
        load_and_wait()
    assert loaded == [True]


def test_no_signal_is_delivered_to_a_thread_of_ours():
    masks = []
    ours = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def tell():
        masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

    thread = threading.Thread(target=tell)
    signals.start_deaf(thread.start)
    thread.join()
    assert masks == [ours | set(NUMBERS)]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == ours


def test_an_interrupt_amid_the_start_of_a_thread_leaves_the_others_their_signals():
    ours = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with signals.heard(), pytest.raises(KeyboardInterrupt):
        signals.start_deaf(lambda: signal.raise_signal(signal.SIGINT))  # comes with the mask's end
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == ours


@pytest.mark.parametrize("path", THREADED, ids=lambda path: path.stem)
def test_every_thread_is_started_so(path):
    code = path.read_text()
    starts = code.count("_thread.start_new_thread(") + code.count("threading.T")
    assert starts == code.count("start_deaf(") - code.count("def start_deaf(")
    assert ".start()" not in code


def test_what_is_ignored_stays_so():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with signals.heard():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_what_comes_when_a_command_is_done_does_not_tear_the_way_out():
    code = (
        "import signal, hetsel.__main__ as program\n"
        "program.run = lambda: 7\n"
        "print(program.main(), {signal.getsignal(n).name for n in program.ENDING})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "7 {'SIG_IGN'}\n", done.stderr
