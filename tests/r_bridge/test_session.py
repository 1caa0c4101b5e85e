"""Starting R, calling it, and what is said when it is not there."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from r_bridge.to_r import session


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_importing_the_bridge_loads_neither_rpy2_nor_r():
    code = (
        "import sys, r_bridge.to_r.convert, r_bridge.to_r.rf10000, r_bridge.from_r.entry_points\n"
        "print([m for m in sys.modules if m.startswith(('rpy2', '_rinterface'))])"
    )
    assert run_python(code).stdout.strip() == "[]"


def test_values_and_errors_of_r_cross():
    assert session.call("sum", 1.5, 2, True)[0] == 4.5
    assert session.call("paste", "é", "日本", sep="-")[0] == "é-日本"
    with pytest.raises(session.RError, match="^the message é, and 3$"):
        session.call('function(x, k) stop("the message ", x, ", and ", k)', "é", k=3)
    with pytest.raises(session.RError, match="object 'no_such_function' not found"):
        session.call("no_such_function")
    with pytest.raises(session.RError, match="unexpected end of input"):
        session.call("function(")


def test_r_is_silent_and_its_warnings_are_pythons(capfd):
    source = 'function() { print(1); cat("x"); message("m"); warning("beware é"); 7 }'
    with pytest.warns(session.RWarning, match="beware é"):
        assert session.call(source)[0] == 7
    assert capfd.readouterr() == ("", "")


def test_the_users_workspace_is_out_of_sight():
    session.call('function() { assign("sum", function(...) 42, envir = globalenv()); NULL }')
    try:
        assert session.call("function(x) sum(x)", 1.0)[0] == 1.0
    finally:
        session.call('function() rm("sum", envir = globalenv())')


def test_threads_may_call_an_r_that_python_started():
    answers = []
    threads = [
        threading.Thread(target=lambda k=k: answers.append(session.call("sqrt", float(k * k))[0]))
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == list(range(8))
    assert not session.joined()


def test_python_keeps_ctrl_c():
    code = (
        "import signal; from r_bridge.to_r import session\n"
        "before = signal.getsignal(signal.SIGINT); session.start()\n"
        "print(signal.getsignal(signal.SIGINT) is before)"
    )
    assert run_python(code).stdout.strip() == "True"


def test_r_absent(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("R_HOME", raising=False)
    with pytest.raises(session.RNotInstalled, match="R is not installed. Install R .*apt-get"):
        session.find_r()
    monkeypatch.setenv("R_HOME", str(tmp_path))
    with pytest.raises(session.RNotInstalled, match="R_HOME must be"):
        session.find_r()


def test_r_too_old(monkeypatch, tmp_path):
    binary = tmp_path / "bin" / "R"
    binary.parent.mkdir()
    binary.write_text("#!/bin/sh\necho 'R version 3.6.3 (2020-02-29)'\n")
    binary.chmod(0o755)
    monkeypatch.setenv("R_HOME", str(tmp_path))
    with pytest.raises(session.RTooOld, match=r"R must be 4.1 or newer. Got 3.6.3. Update R"):
        session.find_r()
    binary.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(session.RNotInstalled, match="does not run"):
        session.find_r()


def test_rpy2_missing(monkeypatch):
    def absent(name):
        raise session.PackageNotFoundError(name)

    monkeypatch.setattr(session, "version", absent)
    monkeypatch.setattr(session, "_state", {})
    with pytest.raises(session.Rpy2Missing, match=r"pip install 'hetsel\[r\]'"):
        session.start()


def test_r_package_missing(monkeypatch):
    assert session.require_package("randomForest").startswith("4.")
    with pytest.raises(session.RPackageMissing, match=r'install.packages\("noSuchPackage"\)'):
        session.require_package("noSuchPackage")
    monkeypatch.setattr(session, "call", lambda *_: [""])
    with pytest.raises(session.RPackageMissing, match="apt-get install r-cran-randomforest"):
        session.require_package("randomForest")


def test_inside_an_r_session_only_the_main_thread_calls():
    said = []

    def attempt():
        try:
            session._prepare_joined()
        except session.RError as reason:
            said.append(str(reason))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert said[0].startswith("methods of R must run in the main thread")


def test_inside_an_r_session_r_collects_once_a_call_and_again_after_code_of_others(monkeypatch):
    collections = []

    class Library:
        def __init__(self, name):
            pass

        def R_gc(self):
            collections.append(1)

    def collected(times):
        collections.clear()
        for _ in range(times):
            session._prepare_joined()
        return len(collections)

    monkeypatch.setattr(session.ctypes, "PyDLL", Library)
    assert collected(3) == 3  # nothing says what R did in between
    with session.called_from_r():
        assert collected(3) == 1
        assert collected(3) == 0
        session.code_of_others_ran()
        assert collected(3) == 1
        with session.called_from_r():  # from that code
            assert collected(3) == 1
        assert collected(3) == 1
    assert collected(3) == 3


def test_the_probe_is_plain_facts(tmp_path):
    command = [sys.executable, "-m", "r_bridge.to_r.session"]
    facts = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert facts["problem"] == facts["fix"] == ""
    assert all(facts[name] for name in ("r_home", "r", "randomForest", "rpy2"))
    bare = {**os.environ, "PATH": str(tmp_path), "R_HOME": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=bare)
    facts = json.loads(done.stdout)
    assert facts["problem"] == "R is not installed"
    assert "apt-get" in facts["fix"]


def test_r_leaves_no_temporary_files(tmp_path):
    code = "from r_bridge.to_r.session import call; print(call('tempdir')[0])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    folder = Path(done.stdout.strip())
    assert folder.parents[1] == tmp_path, done.stderr
    assert list(tmp_path.iterdir()) == []
