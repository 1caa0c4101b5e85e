"""A method in the plan of a study: a key, a class, or a selector of scikit-learn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, get_args

import numpy as np
from msgspec import Meta, Struct

from hetsel.evaluation.by_key import code_of_methods, import_paths, judges_by_key
from hetsel.evaluation.tuned_selector import FOLDS, TunedSelector
from hetsel.ground import PlanError, TableError, plan_entries
from hetsel.ground import plan_entries as check
from hetsel.methods.registry import get_method, key_of, method_keys, no_method, of_other_package
from hetsel.selection import column_choices, parameter_types, scikit_selectors
from hetsel.selection.base import SHARED, BaseSelector
from hetsel.selection.problem import MARTINGALE, Problem, martingale
from hetsel.tables import Survival, TargetKind, TypedTarget

# for the legal keys see hetsel.study.plan.plan_schema
MethodKey = Annotated[
    str,
    Meta(
        title="the key of a method, e.g. 'rfe-mkl'",
        extra_json_schema={"$ref": "#/definitions/MethodKey"},
    ),
]

Tune = Annotated[
    dict[str, Annotated[list[Any], Meta(min_length=1)]],
    Meta(title="a table of lists by parameter, none of them empty, e.g. C = [0.1, 1, 10]"),
]


class MethodEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A selection method."""

    key: Annotated[MethodKey, Meta(description="`hetsel methods` lists them")]
    params: Annotated[plan_entries.ParamsTable, Meta(description="parameters of the method")] = {}
    label: Annotated[plan_entries.Text | None, Meta(description="name in reports")] = None
    target: Annotated[
        Literal["martingale"] | None,
        Meta(description="martingale: survival times as residuals, for a method for numbers"),
    ] = None
    encoding: Annotated[
        Literal["one-hot", "whole"] | None,
        Meta(description="encoding of categorical columns for a selector of scikit-learn"),
    ] = None
    tune: Annotated[
        Tune | None,
        Meta(description="values of parameters to choose from, on the training rows of each cell"),
    ] = None


@dataclass(frozen=True, eq=False)
class MethodSpec:
    """A selection method; with target "martingale" it receives residuals of survival times."""

    selector: type[BaseSelector]
    params: Mapping[str, Any]
    label: str
    target: Literal["martingale"] | None = None
    tune: Mapping[str, list[Any]] = field(default_factory=dict)  # see :class:`TunedSelector`

    @classmethod
    def in_file(cls, where: str, entry: Any) -> "MethodSpec | import_paths.NotImported":
        """Read an entry as :meth:`of`, but do not import external methods."""
        keys = {key: not of_other_package(key) for key in method_keys()}
        return import_paths.NotImported.of(where, entry, MethodEntry, keys) or cls.of(where, entry)

    @classmethod
    def of(cls, where: str, entry: Any) -> "MethodSpec":
        """Read the entry of a plan: a key, a selector (class or instance) or a mapping."""
        if isinstance(entry, MethodSpec):
            return entry
        if isinstance(entry, TunedSelector):
            if entry.folds != FOLDS:
                raise PlanError(f"{where}: folds must be {FOLDS} in a study. Got {entry.folds}")
            spec = cls.of(where, entry.method)
            return spec._tuned(where, MethodEntry(spec.key, tune=_lists(entry.tune)))
        if isinstance(entry, BaseSelector):
            every = entry.get_params(deep=False)
            chosen = {
                k: v for k, v in every.items() if k not in {*SHARED, *column_choices.unasked(every)}
            }
            usable = _usable(where, type(entry), chosen)
            told = MARTINGALE if entry.target_kind == MARTINGALE else None
            return cls(type(entry), usable, _labeled(_label(type(entry)), told), told)
        if hasattr(entry, "fit") and not isinstance(entry, type):
            return cls._foreign(where, entry, MethodEntry(type(entry).__name__))
        if isinstance(entry, str | type):
            entry = {"key": entry}
        if not isinstance(entry, Mapping):
            raise PlanError(
                f"{where} must be the key of a method, a selector of hetsel or scikit-learn, or a "
                f"mapping. Got {entry!r:.60}"
            )
        return cls._from_mapping(where, entry)

    @classmethod
    def _from_mapping(cls, where: str, entry: Mapping[str, Any]) -> "MethodSpec":
        check.check_keys(where, entry, MethodEntry.__struct_fields__)
        entry = {**entry, "tune": _lists(entry.get("tune"))}
        given = entry.get("key")
        own = not hasattr(given, "fit") or isinstance(given, type)
        key = _key(where, given) if own else type(given).__name__
        found = plan_entries.read_entry(where, {**entry, "key": key}, MethodEntry)
        estimator = import_paths.estimator_in(where, entry, method_keys(), "selector")
        selector: type[BaseSelector]
        if isinstance(estimator, BaseSelector):  # by its import path, which is its key
            selector = type(estimator)
        elif estimator is not None:
            return cls._foreign(where, estimator, found)
        elif isinstance(given, type):
            selector = given
        elif found.key not in method_keys():
            raise _no_method(where, found.key)
        else:
            selector = get_method(found.key)
        if found.encoding is not None:
            raise PlanError(
                f"{where}.encoding needs a selector of scikit-learn. Got {found.key}. Leave it out"
            )
        check.check_keys(f"{where}.params", found.params, settable(selector))
        params = _usable(f"{where}.params", selector, found.params)
        label = found.label or _labeled(_label(selector), found.target)
        return cls(selector, params, label, found.target)._tuned(where, found)

    @classmethod
    def _foreign(cls, where: str, estimator: Any, entry: MethodEntry) -> "MethodSpec":
        """Build the method from a selector of scikit-learn."""
        import_paths.described(where, estimator)  # cells are identified by the written form
        params = {"estimator": estimator, "encoding": entry.encoding or "one-hot"}
        label = entry.label or _labeled(type(estimator).__name__, entry.target)
        spec = cls(scikit_selectors.ScikitSelector, params, label, entry.target)
        return spec._tuned(where, entry)

    def _tuned(self, where: str, entry: MethodEntry) -> "MethodSpec":
        """Return the method with the parameters that its entry tunes."""
        if not entry.tune:
            return self
        at = f"{where}.tune"
        if self.of_scikit:
            legal = sorted(self.params["estimator"].get_params(deep=True))
        else:
            legal = [name for name in settable(self.selector) if name not in column_choices.EVERY]
        check.check_keys(at, entry.tune, legal)
        for name in entry.tune:
            if name in entry.params and not self.of_scikit:  # of which some are required
                raise PlanError(
                    f"{at}: {name} must not be one of the params, too. Leave it out there"
                )
        tune = {}
        for name, values in sorted(entry.tune.items()):
            if self.of_scikit:
                tune[name] = [import_paths.made(f"{at}.{name}", value) for value in values]
                import_paths.described(f"{at}.{name}", tune[name])
            else:
                usable = [_usable(at, self.selector, {name: value}) for value in values]
                tune[name] = [one[name] for one in usable]
        return replace(self, tune=tune, label=entry.label or f"{self.label} (tuned)")

    @property
    def of_scikit(self) -> bool:
        """Whether it is a selector of scikit-learn."""
        return self.selector is scikit_selectors.ScikitSelector

    @property
    def key(self) -> str:
        """Key of the method, or import path of a selector of scikit-learn."""
        if self.of_scikit:
            return import_paths.path_of(type(self.params["estimator"]))
        return key_of(self.selector)

    @property
    def home(self) -> str:
        """The package of the method."""
        return self.key.partition(".")[0] if "." in self.key else "hetsel"

    @property
    def use_of_sizes(self) -> str:
        """How its answer depends on the requested sizes; see :class:`BaseSelector`."""
        if self.tune:
            return str(TunedSelector.use_of_sizes)
        own = self.selector.__module__.partition(".")[0] in ("hetsel", "r_bridge")
        return self.selector.use_of_sizes or ("unused" if own else "subsets")

    @property
    def revision(self) -> int | str:
        """Revision of the method; a new revision needs new cells."""
        return self.build().revision

    def parameters(self) -> dict[str, Any]:
        """Return all parameters that may change a ranking, with defaults."""
        every = self._untuned().get_params(deep=False)
        left_out = {*SHARED, "n_jobs", *column_choices.unasked(every), *self.tune}
        return {name: every[name] for name in sorted(every) if name not in left_out}

    def build(self) -> BaseSelector:
        """Return a new selector."""
        method = self._untuned()
        return TunedSelector(method=method, tune=self.tune) if self.tune else method

    def _untuned(self) -> BaseSelector:
        return self.selector(**self.params)

    def trial(self) -> BaseSelector:
        """Return a new, fast selector that loads the code of the method."""
        return self.selector(**{**self.params, **self.selector.about.trial, "always": ()})

    def refuse_target(self, target: TypedTarget) -> None:
        """Raise an error for a target that the method does not accept."""
        if self.target is not None:
            if not isinstance(target, Survival):
                raise TableError(
                    f"{self.label}: target = {self.target!r} needs survival times. Got "
                    f"{target.in_words()}. Leave it out"
                )
            target = martingale(target)
        self.build().refuse_target(target)

    def told(self, problem: Problem) -> Problem:
        """Return the problem that the method receives, perhaps with residuals as target."""
        if self.target is None:
            return problem
        return replace(problem, target=martingale(problem.survival, problem.weights))

    @property
    def is_foreign(self) -> bool:
        """Whether it uses code from outside hetsel and scikit-learn."""
        return not self.selector.__module__.startswith("hetsel.") or bool(self.code.digest)

    @property
    def code(self) -> code_of_methods.Code:
        """The current code of an external method."""
        return code_of_methods.code_of(
            [self.params if self.of_scikit else self._untuned(), self.tune]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON; except revision and code, they define the method."""
        content: dict[str, Any] = {"key": self.key, "label": self.label, "revision": self.revision}
        if self.target is not None:
            content["target"] = self.target
        if self.tune:
            content["tune"] = self._written_tune()
        if code := self.code.digest:
            content["code"] = code
        if self.of_scikit:
            params = import_paths.described(self.key, self.params["estimator"])["params"]
            return {**content, "params": params, "encoding": self.params["encoding"]}
        return {
            **content,
            "params": {k: plan_entries.plain_parameter(v) for k, v in self.parameters().items()},
        }

    def identity(self) -> dict[str, Any]:
        """Return what cells depend on."""
        content = self.to_dict()
        del content["label"]
        if self.of_scikit:
            content |= import_paths.described(
                self.key, self.params["estimator"], import_paths.path_in_keys
            )
        if self.tune:
            judges = {kind: judges_by_key.default_judges(kind) for kind in get_args(TargetKind)}
            content["tune"] = self._written_tune(import_paths.path_in_keys)
            content["tuned_by"] = {kind: judge.identity() for kind, (judge,) in judges.items()}
            content["folds"] = FOLDS
        return content

    def _written_tune(self, path: Callable[[Any], str] | None = None) -> dict[str, Any]:
        """Return the values to try as in a plan."""
        return {
            name: import_paths.described(name, values, path)
            if self.of_scikit
            else plan_entries.plain_parameter(values)
            for name, values in self.tune.items()
        }


def _lists(tune: Any) -> Any:
    """Return the values to try as lists, whatever sequences they are in Python."""
    if not isinstance(tune, Mapping):
        return tune
    return {
        name: list(values) if isinstance(values, tuple | range | np.ndarray) else values
        for name, values in tune.items()
    }


def _labeled(label: str, target: str | None) -> str:
    """Return a label with the transformed target, if there is one."""
    return label if target is None else f"{label} ({target})"


def _label(selector: type[BaseSelector]) -> str:
    """Return the key of a registered method, otherwise the name of the class."""
    return key_of(selector).rpartition(".")[2]


def _usable(where: str, selector: type[BaseSelector], params: Mapping[str, Any]) -> dict[str, Any]:
    """Check that parameters have a complete written form; convert numbers to declared types."""
    for name, value in params.items():
        import_paths.plain_form(f"{where}: {name}", value)
    return parameter_types.as_declared(selector, params)


def settable(selector: type[BaseSelector]) -> list[str]:
    return sorted(set(selector._get_param_names()) - set(SHARED))


def _no_method(where: str, given: Any) -> PlanError:
    return PlanError(no_method(where if where == "method" else f"{where}.key", given))


def _key(where: str, given: Any) -> str:
    """Return the key of an entry, which may be a class in Python."""
    if isinstance(given, str):
        return given
    if not isinstance(given, type):
        raise _no_method(where, given)
    if not issubclass(given, BaseSelector):
        raise PlanError(
            f"{where} must be a method, a subclass of BaseSelector that overrides _select. Got "
            f"{given.__name__}"
        )
    return key_of(given)
