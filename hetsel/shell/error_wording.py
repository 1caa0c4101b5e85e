"""The fix of an error in the words of the shell: as an option, or as an entry of a plan."""

import json
import re
import shlex

from hetsel.ground.errors import Fix, Value

# entries of a data set in a plan; a method's own parameters stand in its `params`
_OF_A_TABLE = (
    "nominal",
    "ordinal",
    "continuous",
    "drop",
    "missing",
    "scale",
    "row_groups",
    "missing_marks",
    "drop_unlabeled",
    "target_kind",
)
_OF_A_FILE = ("separator", "encoding", "decimal", "thousands", "header", "skip", "sheet")


_AS_OPTION = re.compile(r"-(?!$|\d*\.?\d+$)")
_OPTIONS = ("missing", "scale", "encoding", "decimal", "thousands", "skip", "sheet", "columns")


def in_shell(fix: Fix) -> str:
    """A fix as the option of `hetsel inspect` and `hetsel rank`; a method's own is a --param.

    Examples
    --------
    >>> in_shell(Fix("nominal", ("a b",))), in_shell(Fix("many_levels", "order"))
    ("--nominal 'a b'", '--param many_levels=order')
    """
    values = fix.values
    if fix.option == "run":
        return _run(fix)
    if fix.option == "unseen":  # the shell never reads a table twice
        return ""
    if fix.option in ("nominal", "continuous", "drop"):
        several = not any("," in name for name in values)
        return _each(fix.option, [",".join(values)] if several else values)
    if fix.option == "ordinal":
        order = "=" + "<".join(fix.levels) if fix.levels else ""
        return _each("ordinal", [name + order for name in values])
    if fix.option == "missing_marks":
        return _each("missing-mark", values)
    if fix.option == "header":
        return "--header yes" if fix.value else "--header no"
    if fix.option == "drop_unlabeled":
        return "--drop-unlabeled"
    if fix.option == "trust_edited":
        return "--trust-edited"
    if fix.option == "seen":
        return "--drop-seen"
    if fix.option == "separator":
        return f"--separator {_quoted(fix)}".rstrip()
    if fix.option == "event_value" and fix.value is None:
        return "--event-value VALUE"
    if fix.option in ("row_groups", "event_value", "positive"):
        return _each(fix.option.replace("_", "-"), values)
    if fix.option == "target_kind":
        return _each("as", values)
    if fix.option in _OPTIONS:
        return _each(fix.option, values)
    return _each("param", [f"{fix.option}={value}" for value in values])


def _quoted(fix: Fix) -> str:
    """A separator always in quotation marks; a tab as the option takes it."""
    return "".join(f"'{value}'" for value in fix.values).replace("\t", r"\t")


def _run(fix: Fix) -> str:
    return f"`hetsel study run{' --retry' if fix.value else ''}`"


def _each(option: str, values: tuple[str, ...] | list[str]) -> str:
    # what begins as an option does, and is no number, is read as one
    return " ".join(
        f"--{option}{'=' if _AS_OPTION.match(value) else ' '}{shlex.quote(value)}"
        for value in values
    )


def in_plan(fix: Fix) -> str:
    """A fix as an entry of a plan, which is TOML.

    Examples
    --------
    >>> in_plan(Fix("nominal", ("a", "b"))), in_plan(Fix("header", False))
    ('nominal = ["a", "b"]', 'header = false')
    """
    if fix.option == "run":
        return _run(fix)
    if fix.option == "unseen":
        return ""
    if fix.levels:
        orders = ", ".join(f"{_toml(name)} = {_toml(fix.levels)}" for name in fix.values)
        return f"{fix.option} = {{{orders}}}"
    entry = f"{fix.option} = {_toml('VALUE' if fix.value is None else fix.value)}"
    if fix.option == "event_value":
        return f"target = {{..., {entry}}}"
    return entry if fix.option in (*_OF_A_TABLE, *_OF_A_FILE) else f"params = {{{entry}}}"


def _toml(value: Value) -> str:
    """Text, truth and lists of text are the same in TOML and in JSON."""
    return json.dumps(value, ensure_ascii=False)
