"""The code of external methods and judges, as part of the keys of their cells.

For modules see :mod:`hetsel.evaluation.by_key.code_of_modules`. For definitions in a script, a
notebook or a function, the key includes their source and the values that they use: variables of the
session, closures, defaults, arguments of partials, and base classes. scikit-learn, scikit-survival
and their dependencies are not in keys; each cell records their versions.
"""

import dis
import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from functools import cached_property, partial, partialmethod
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import joblib

from hetsel.evaluation.by_key import code_of_modules as modules

# see hetsel.evaluation.computation.versions
NOTED = ("numpy", "scipy", "sklearn", "sksurv", "numba")
VALUES = ("numpy", "pandas", "scipy", "polars", "pyarrow")  # their objects hold no code
# attributes that Python, dataclasses and abc add to a class
_ADDED = {
    *("__module__", "__dict__", "__weakref__", "__doc__", "__qualname__", "__signature__"),
    *("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__abstractmethods__"),
    *("__firstlineno__", "__static_attributes__", "__slotnames__", "__annotations__", "_abc_impl"),
}


@dataclass(frozen=True)
class Code:
    """The code of a method or judge from outside hetsel."""

    # version of each package; digest of each module, and of classes and functions without a module
    facts: modules.CodeFacts
    unread: tuple[str, ...] = ()  # values that the code uses but whose content cannot be compared

    @property
    def digest(self) -> str:
        """The digest for keys; empty without external code except of recorded packages."""
        noted = {modules.CodeOf("package", home) for home in NOTED}
        counted = {name: fact for name, fact in self.facts.items() if name not in noted}
        return modules.digest(json.dumps(counted, sort_keys=True).encode()) if counted else ""

    @property
    def in_modules(self) -> modules.CodeFacts:
        """Packages and modules that another machine must have as well."""
        known = ("package", "module")
        return {place: fact for place, fact in self.facts.items() if place.kind in known}


def code_of(thing: Any) -> Code:
    """Return the code of a class, function or estimator and of its parameters.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> code_of(SelectKBest()).digest
    ''
    """
    reading = _Reading()
    for part in _parts(thing):
        for base in inspect.getmro(part)[:-1] if isinstance(part, type) else [part]:
            reading.read(base)
    return Code(reading.facts, tuple(sorted(set(reading.unread))))


def _parts(thing: Any) -> Iterator[Any]:
    """Yield the classes, functions and objects that an estimator consists of."""
    if isinstance(thing, Mapping):
        thing = list(thing.values())
    if isinstance(thing, list | tuple):
        for item in thing:
            yield from _parts(item)
    elif hasattr(thing, "get_params") and not isinstance(thing, type):
        yield type(thing)
        yield from _parts(thing.get_params(deep=False))
    elif isinstance(thing, type) or _is_routine(thing) or modules.is_own(type(thing).__module__):
        yield thing
    elif (inner := _wrapped(thing)) is not None:
        yield from (type(thing), *_parts(inner))
    elif type(thing).__module__.partition(".")[0] not in VALUES:
        yield type(thing)
        held = getattr(thing, "__dict__", {}).values()  # such as the function of a scorer
        yield from (inner for inner in held if isinstance(inner, FunctionType))
    elif _is_shortened(thing):
        yield thing


def _is_shortened(value: Any) -> bool:
    """Return whether the written form of a value of numpy or pandas is incomplete."""
    listed = hasattr(value, "tolist") and (isinstance(value, str) or not hasattr(value, "index"))
    return hasattr(value, "shape") and not listed


def _is_routine(thing: Any) -> bool:
    """Return whether it is a function or method, not an object with `__get__`."""
    return inspect.isroutine(thing) and not isinstance(
        getattr(type(thing), "__get__", None), FunctionType
    )


def _wrapped(thing: Any) -> Any:
    """The function that an object of functools, numba or numpy was made of; None of others."""
    held = getattr(thing, "__dict__", {})
    found = (getattr(thing, n, None) for n in ("__wrapped__", "py_func", "pyfunc") if n in held)
    return next(filter(callable, found), None)


def _of_session(module: Any) -> bool:
    """Return whether a module has no file, such as a notebook."""
    home = str(module)
    if modules.is_known(home) or modules.file_of(home) is not None:
        return False
    return modules.file_of(home.partition(".")[0]) is None


def _is_read(thing: Any) -> bool:
    """Return whether a session or a function call, not a module, made a class or function."""
    home, name = str(thing.__module__), thing.__qualname__
    if isinstance(thing, FunctionType) and modules.is_own(home):
        name += thing.__code__.co_qualname  # decorators rename functions
    made = "<" in name and home.partition(".")[0] not in modules.OURS
    return made or _of_session(home)


class _Reading:
    """Reads code, each object once."""

    def __init__(self) -> None:
        self.facts: modules.CodeFacts = {}
        self.unread: list[str] = []
        self._known: dict[int, tuple[str, Any]] = {}  # with the objects, which keep their ids

    def read(self, thing: Any) -> None:
        """Record the facts of a class, function or object."""
        text, kind = self._content(thing, "a parameter"), "object"
        if isinstance(thing, type | FunctionType):
            kind = "class" if isinstance(thing, type) else "function"
            if not _is_read(thing):
                return
        elif _is_routine(thing):
            return
        name = modules.CodeOf(kind, _path(thing))
        self.facts[name] = modules.digest((self.facts.get(name, "") + text).encode())

    def _module(self, name: Any) -> None:
        if name is not None and modules.CodeOf("module", name) not in self.facts:
            self.facts |= modules.facts_with_imports(str(name))

    def _imported(self, code: CodeType, packages: Sequence[str]) -> None:
        """Record modules that code of a session imports or names."""
        base = ""
        for step in dis.get_instructions(code):
            if step.opname == "IMPORT_NAME":
                self._module(base := str(step.argval))
            elif step.opname == "IMPORT_FROM":
                for name in modules.named_in(base, [str(step.argval)]):
                    self._module(name)
        for name in list(sys.modules):
            inside = (name[len(p) + 1 :] for p in packages if name.startswith(f"{p}."))
            named = any({*rest.split(".")} <= {*code.co_names} for rest in inside)
            if named and modules.is_own(name):
                self._module(name)
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._imported(inner, packages)

    def _content(self, value: Any, at: str) -> str:
        """Return a text that identifies a value; `at` is its name in messages."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return repr(value)
        if id(value) not in self._known:
            self._known[id(value)] = "again", value  # for a value that contains itself
            found = modules.digest(self._described(value, at).encode(errors="surrogatepass"))
            self._known[id(value)] = found, value
        return self._known[id(value)][0]

    def _described(self, value: Any, at: str) -> str:
        parts: list[Any]
        match value:
            case type():
                return self._of_class(value)
            case FunctionType():
                return self._of_function(value)
            case ModuleType():
                self._module(value.__name__)
                return value.__name__
            case set() | frozenset():
                return f"set {sorted(self._content(item, at) for item in value)}"
            case dict():
                parts = [one for item in value.items() for one in item]
            case list() | tuple():
                parts = list(value)
            case MethodType():
                parts = [value.__func__, value.__self__]
            case partial() | partialmethod():
                parts = [value.func, value.args, value.keywords]
            case staticmethod() | classmethod():
                parts = [value.__func__]
            case property():
                parts = [value.fget, value.fset, value.fdel]
            case cached_property():
                parts = [value.func]
            case _:
                return self._of_object(value, at)
        return f"{type(value).__name__} {[self._content(part, at) for part in parts]}"

    def _of_object(self, value: Any, at: str) -> str:
        kind, held = type(value), getattr(value, "__dict__", {})
        if not modules.is_own(kind.__module__) and (inner := _wrapped(value)) is not None:
            return self._content(inner, at)
        if _is_routine(value):
            self._module(getattr(value, "__module__", None))
            return _path(value)
        home = kind.__module__.partition(".")[0]
        if held and home not in VALUES and (home in modules.OURS or not modules.is_known(home)):
            return f"{self._content(kind, at)} {self._content(held, at)}"
        try:
            return f"{self._content(kind, at)} {joblib.hash(value)}"
        except Exception:  # any error of an object that cannot be pickled
            self.unread.append(f"{at} ({kind.__qualname__})")
            return _path(kind)

    def _of_class(self, kind: type) -> str:
        self._module(kind.__module__)
        if not _is_read(kind):
            return _path(kind)
        parts = [_path(kind), repr(vars(kind).get("__annotations__") or None)]
        parts += [self._content(base, "") for base in kind.__bases__]
        fields = vars(kind).get("__dataclass_fields__", {})
        made_by = [one.default_factory for one in fields.values()]
        parts += [self._content(f, kind.__name__) for f in made_by if f is not MISSING]
        for name, value in sorted(vars(kind).items()):
            made = isinstance(value, FunctionType) and (  # by dataclasses, of the fields
                value.__code__.co_filename == "<string>"
                and value.__code__.co_qualname.startswith("__create_fn__.")
            )
            if name not in _ADDED and not name.startswith("__annot") and not made:
                parts += [name, self._content(value, f"{kind.__name__}.{name}")]
        return repr(parts)

    def _of_function(self, function: FunctionType) -> str:
        home, code, there = function.__globals__.get("__name__"), function.__code__, {}
        self._module(home)  # for a function from a decorator, the module of the decorator
        parts = [_path(function)]
        # functions from one decorator have the same name
        if modules.is_own(str(home)) and not _of_session(home):
            parts.append(f"{code.co_qualname}, line {code.co_firstlineno}")
            parts += [_compiled(code)] if "<lambda>" in code.co_qualname else []
        if not _is_read(function) and not _of_session(home):
            return repr(parts)
        if _of_session(home):
            parts.append(_source(function))
            named = _globals_of(code)
            there = {k: v for k, v in function.__globals__.items() if k in named}
            self._imported(code, [v.__name__ for v in there.values() if isinstance(v, ModuleType)])
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            there[name] = _held(cell)
        for name, value in sorted(there.items()):
            parts += [name, self._content(value, f"{name} of {function.__qualname__}")]
        defaults = [function.__defaults__, function.__kwdefaults__]
        return repr([*parts, self._content(defaults, f"a default of {function.__qualname__}")])


def _path(thing: Any) -> str:
    kind = type(thing)
    home = getattr(thing, "__module__", None) or kind.__module__
    return f"{home}.{getattr(thing, '__qualname__', kind.__qualname__)}"


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # still empty
        return None


def _globals_of(code: CodeType) -> set[str]:
    """Return names of session variables that code uses, also in inner functions."""
    steps = dis.get_instructions(code)
    names = {str(step.argval) for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_globals_of(c) for c in code.co_consts if isinstance(c, CodeType)))


def _source(function: FunctionType) -> str:
    """Return the source of a function, or the compiled form of a lambda or of text."""
    try:
        if "<lambda>" not in function.__qualname__ and function.__code__.co_filename != "<string>":
            return inspect.getsource(function.__code__).replace("\r\n", "\n").rstrip()
    except (OSError, TypeError):
        pass
    return _compiled(function.__code__)


def _compiled(code: CodeType) -> str:
    plain = (sorted(map(repr, c)) if isinstance(c, frozenset) else c for c in code.co_consts)
    consts = [_compiled(c) if isinstance(c, CodeType) else repr(c) for c in plain]
    return repr([code.co_code.hex(), code.co_names, code.co_varnames, consts])
