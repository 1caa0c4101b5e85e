"""Mutants: one small fault in a function, and whether a test fails.

    python tests/arena/campaigns/mutants.py --only hetsel/signature --count 20
    python tests/arena/campaigns/mutants.py --only hetsel/report --tests "tests/report/pages"

Functions of hetsel and r_bridge are drawn by a seed. Each gets one change of its syntax tree, in a
copy of the whole tree that is removed at the end. The tests of the same room run first, the fastest
of them first, then those of conformance; the first failure ends them. A test that exceeds
--timeout detects the mutant, as one that fails does: the change may have made an endless loop. Such
a line has the word "late", which says nothing where the machine had other work.

Prints a line for each mutant: place, change, whether it was detected, seconds; then the counts. A
mutant that is not detected may be equivalent to the original.
"""

import argparse
import ast
import copy
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CONFORMANCE = ["tests/test_conformance.py", "tests/test_conformance_of_targets.py"]


def changes(node):
    """What can be changed at a node: a description, and a function that changes it in place."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITE:
        other = OPPOSITE[type(node.ops[0])]()
        yield f"{type(other).__name__} in place", lambda: node.ops.__setitem__(0, other)
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OPPOSITE:
        operator = OPPOSITE[type(node.op)]()
        yield f"{type(operator).__name__} in place", lambda: setattr(node, "op", operator)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "constant + 1", lambda: setattr(node, "value", node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "None returned", lambda: setattr(node, "value", ast.Constant(None))
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        negated = ast.UnaryOp(ast.Not(), node.test)
        yield "condition negated", lambda: setattr(node, "test", negated)


def places(function):
    """Nodes of the body of a function that can be changed, without those of its annotations."""
    nodes = (node for statement in function.body for node in ast.walk(statement))
    return [node for node in nodes if any(changes(node))]


def mutant(text, rng):
    """A text with one change, its line and what was changed; None where no function allows one."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and places(node)]
    if not functions:
        return None
    node = rng.choice(places(rng.choice(functions)))
    before = ast.unparse(copy.deepcopy(node)).split("\n")[0]
    said, change = rng.choice(list(changes(node)))
    change()
    return ast.unparse(ast.fix_missing_locations(tree)), node.lineno, f"{said}: {before[:60]}"


def drawn(only, seed, count):
    """Files and their mutants."""
    rng = random.Random(seed)
    files = [path for room in ("hetsel", "r_bridge") for path in (ROOT / room).rglob("*.py")]
    names = sorted(str(path.relative_to(ROOT)) for path in files)
    names = [name for name in names if any(one in name for one in only.split(","))]
    sizes = [Path(ROOT, name).stat().st_size for name in names]  # long files have more functions
    known = set()
    while len(known) < count:
        (name,) = rng.choices(names, sizes)
        made = mutant(Path(ROOT, name).read_text(encoding="utf-8"), rng)
        if made and (name, made[0]) not in known:
            known.add((name, made[0]))
            yield name, *made


def stages(name, tests):
    """Arguments of pytest, one run after the other: those that are named, or the fastest first."""
    if tests:
        return [shlex.split(tests)]
    package, room = Path(name).parts[:2]
    room = f"tests/{'r_bridge' if package == 'r_bridge' else room}"
    near = Path("tests", *Path(name).parent.parts[1:]) if package == "hetsel" else Path(room)
    near = [str(near)] if (ROOT / near).is_dir() else []
    own = [room] if (ROOT / room).is_dir() else []
    order = [[*near, "-m", "not slow"]] if near and near != own else []
    order += [[*own, "-m", "not slow"], [*own, "-m", "slow"]] if own else []
    return [*order, CONFORMANCE]


def detected(folder, name, tests, timeout):
    """The first test that fails, or an empty text."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "500"}  # whole lines
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # a change of a second ago has the same date
    for stage in stages(name, tests):
        options = ["--tb=no", "-rfE", f"--timeout={timeout}", *stage]
        done = subprocess.run(
            [*command, *options], cwd=folder, env=environment, capture_output=True, text=True
        )
        if done.returncode not in (0, 5):  # 5: nothing of this stage was collected
            lines = [line for line in done.stdout.splitlines() if line.startswith(("FAIL", "ERR"))]
            by, _, reason = (lines or [f"exit code {done.returncode}"])[0].partition(" - ")
            return f"{by} (late)" if "Timeout" in reason else by
    return ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--only", default="", help="parts of the names of files, with commas")
    parser.add_argument("--tests", default="", help="arguments of pytest in place of the room's")
    parser.add_argument("--timeout", type=int, default=600, help="seconds of a test")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "tree")
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv", ".build"))
        for name, text, line, change in drawn(options.only, options.seed, options.count):
            file, begun = folder / name, time.monotonic()
            original = file.read_bytes()
            file.write_text(text, encoding="utf-8")
            by = detected(folder, name, options.tests, options.timeout)
            file.write_bytes(original)
            found.append(by)
            seconds = time.monotonic() - begun
            print(f"{name}:{line}  {change}  {by or 'NOT'}  {seconds:.0f} s", flush=True)
    print(f"{len(found)} mutants, {sum(map(bool, found))} detected")
