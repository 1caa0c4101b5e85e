"""Run the shell command `hetsel` with its commands inspect, select, predict and others.

Only argparse is loaded before the command is known, so that `hetsel --help` answers without delay.
"""

import argparse
import logging
import os
import re
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from hetsel import __version__
from hetsel.ground import did_you_mean, errors, interrupted, signals, visible
from hetsel.shell.error_words import with_flags
from hetsel.shell.printed_cautions import fix_in_shell, in_plan

ABOUT = "Select features in tables that mix continuous and categorical columns."
EPILOG = """\
examples:
  hetsel inspect patients.csv --target relapse
  hetsel select patients.csv --target relapse --report signature.html --save signature.json
  hetsel predict signature.json new.csv --out predicted.csv
  hetsel rank patients.csv --target relapse --method rfe-mkl --out ranking.csv
  hetsel rank heart --top 5 --plot ranking.png     (heart is a data set of hetsel)
  hetsel search heart --search sffs --criterion 5nn --ties 0.01

`hetsel COMMAND --help` lists the options of a command.

exit codes:
  0    success
  1    hetsel cannot use the table, the target or an option; stderr states why
  2    wrong command line
  129  terminal closed (SIGHUP)
  130  interrupted (Ctrl-C)
  143  terminated (SIGTERM)

Results go to stdout or to the files that you name; notes and errors go to stderr. hetsel writes a
file completely or not at all.
"""
COMMANDS = {
    "inspect": "show how hetsel reads each column of a table",
    "select": "select one signature and estimate its performance and stability",
    "predict": "predict new rows with a saved signature",
    "validate": "validate a saved signature on new labeled rows",
    "plan-rows": "plan the number of rows of a study",
    "rank": "rank the features of a table",
    "search": "search for the best subset of the features",
    "methods": "list the selection methods",
    "study": "compare methods over resamplings: run, merge, status, export, report, archive",
    "doctor": "check Python, the packages and R, and print a fix for each problem",
}
# errors of argparse
_NO_CHOICE = re.compile(r"argument ([^/:]+).*?: invalid choice: '(.*)' \(choose from (.*)\)")
_MUST = re.compile(r"^argument ([^/:]+)[^:]*: must ")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    if not os.environ.get("OMP_NUM_THREADS", "1").isdecimal():
        # a list such as 4,2 is legal, but numexpr, which pandas loads, expects a single number
        os.environ.setdefault("NUMEXPR_NUM_THREADS", "1")
    with standard_streams(), signals.heard() as hearing:
        try:
            return _run(arguments)
        except BaseException as reason:
            hearing.patient = True
            if hearing.heard or interrupted(reason):
                number = hearing.heard[0] if hearing.heard else signal.SIGINT
                said = reason.args if isinstance(reason, KeyboardInterrupt) else ()
                print(
                    ": ".join(["hetsel", signals.ENDED_BY[number], *map(str, said)]),
                    file=sys.stderr,
                )
                return signals.exit_code(number)
            raise


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command; print an error as one line."""
    options = argparse.Namespace(command="")
    try:
        options = _parsed(arguments)
        with warnings.catch_warnings(), _compiling_shown():
            warnings.showwarning = partial(_show_warning, options)
            if not sys.warnoptions:
                warnings.simplefilter("default")
                for category in errors.FOR_DEVELOPERS:
                    warnings.simplefilter("ignore", category)
            code = int(options.run(options))
            sys.stdout.flush()
            _say_not_kept()
            return code
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        return 0
    except (ValueError, OSError, ImportError, MemoryError, RuntimeError) as reason:
        if os.environ.get("HETSEL_TRACEBACK") or interrupted(reason):
            raise
        print(f"hetsel: error: {_one_line(reason, options)}", file=sys.stderr)
        return 1


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; flush what the parser prints itself, as for --help."""
    try:
        return parse(arguments)
    except SystemExit:
        sys.stdout.flush()
        raise


class _Parser(argparse.ArgumentParser):
    """Accept `--option=--`, a value that argparse drops before Python 3.13; suggest words."""

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            return self._get_value(action, "--")
        return super()._get_values(action, arg_strings)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, rest = self.parse_known_args(args, namespace)
        if rest:
            hint = did_you_mean(rest[0], getattr(options, "flags", {}).values())
            self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
        return options

    def error(self, message: str) -> NoReturn:
        """Print the usage and an error in the form of the errors of hetsel."""
        if found := _NO_CHOICE.fullmatch(message):
            name, given, words = found.groups()
            hint = did_you_mean(given, words.replace("'", "").split(", "))
            legal = re.sub(r"'([\w-]+)'", r"\1", words)
            message = f"{name} must be one of {legal}. Got {given!r}{hint}"
        super().error(_MUST.sub(r"\1 must ", message))


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of a command line; a wrong one exits with code 2."""
    parser = _Parser(
        prog="hetsel",
        description=ABOUT,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hetsel {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="command"
    )
    given = sys.argv[1:] if arguments is None else arguments
    asked = next((word for word in given if not word.startswith("-")), "")
    for name, summary in COMMANDS.items():
        if name == asked:  # only the options of this command are built
            from hetsel.shell.command_line import add_command

            add_command(commands, name, summary)
        else:
            commands.add_parser(name, help=summary)
    return parser.parse_args(arguments)


def _one_line(reason: BaseException, options: argparse.Namespace) -> str:
    """Return an error or a warning as one line, with fixes for the shell or a plan."""
    if isinstance(reason, MemoryError):
        return (
            "not enough memory for this table. Use fewer rows, or a method whose memory does not "
            "grow with the square of the rows; `hetsel methods` lists the memory of each method"
        )
    if isinstance(reason, OSError) and reason.filename is not None:
        return f"{reason.filename}: {(reason.strerror or str(reason)).lower()}"
    if isinstance(reason, errors.ErrorWithFixes):
        face = in_plan if options.command == "study" else fix_in_shell
        text = errors.worded(with_flags(reason.sentence, options), reason.fixes, face)
    else:
        text = str(reason)
    for words in errors.FOR_SCIKIT_LEARN:
        text = text.replace(words, "")
    return visible(" ".join(text.split())) or type(reason).__name__


@contextmanager
def _compiling_shown() -> Iterator[None]:
    """Print a note while code is being compiled, which takes some seconds."""
    log = logging.getLogger("hetsel.compiling.compiled")
    lines = logging.StreamHandler()
    lines.setFormatter(logging.Formatter("hetsel: note: %(message)s"))
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(lines)


def _say_not_kept() -> None:
    """Print a note if the code that a command compiled could not be kept."""
    compiled = sys.modules.get("hetsel.compiling.compiled")  # not loaded: nothing was compiled
    if compiled is not None and (why := compiled.not_kept()):
        print(f"hetsel: note: {why}", file=sys.stderr)


def _show_warning(
    options: argparse.Namespace,
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    text = _one_line(message, options) if isinstance(message, Warning) else message
    print(f"hetsel: warning: {text} ({Path(filename).name}:{lineno})", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())


# With standard streams that are closed or full, a command still ends with an exit code.


_NAMES = ("stdin", "stdout", "stderr")


class _Stream:
    """Wrap a stream: name it in its errors, or ignore its errors."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._failed: OSError | None = None

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)

    def write(self, text: str) -> int:
        """Write text."""
        self._try(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        """Flush, and raise the error of an earlier write again, which argparse hides."""
        self._try(self._stream.flush)
        if self._failed is not None:
            raise self._failed

    def _try(self, action: Any, *arguments: str) -> None:
        try:
            action(*arguments)
        except OSError as reason:
            _to_nowhere(self._stream)
            if self._name != "stderr":  # a message that cannot be printed ends no work
                self._failed = type(reason)(reason.errno, reason.strerror, self._name)
                raise self._failed from None


@contextmanager
def standard_streams() -> Iterator[None]:
    """Open the standard streams; errors of stdout name it, and stderr raises none.

    A closed stream, as by `>&-`, is opened on the null device. Otherwise a file that a command
    opens would get its number, and with it all that is printed there.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            _open(number)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Stream(sys.stdout, "stdout"), _Stream(sys.stderr, "stderr")
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _open(number: int) -> None:
    """Open a descriptor on the null device, unless it is open."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def _to_nowhere(stream: Any) -> None:
    """Discard the buffer of a stream and all later output, which Python would write at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
