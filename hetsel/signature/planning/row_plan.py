"""Plan how many rows a study needs, by criteria alone or with the rows at hand."""

from dataclasses import asdict, dataclass
from math import ceil, isfinite

import numpy as np
import pandas as pd

from hetsel.evaluation.data.encoded_data import EncodedData
from hetsel.evaluation.engines.engine_runs import kept_workers
from hetsel.evaluation.progress import OnProgress
from hetsel.evaluation.target_scores import target_scores
from hetsel.ground import TableError, whole_number
from hetsel.pitfalls.cautions_on_rows import asked_groups
from hetsel.signature import estimator, request
from hetsel.signature.planning import (
    anticipated,
    asked_rows,
    learning_curve,
    plan_facts,
    planted_columns,
)
from hetsel.signature.planning.asked_rows import AskedRows, Purpose
from hetsel.signature.planning.planted_columns import EffectKind, Found
from hetsel.signature.procedure import SignatureProcedure
from hetsel.tables import read_features, refuse_constant, refuse_other_rows

STUDY: tuple[Purpose, ...] = ("develop", "interval", "rate")
SHOWN = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)  # times the rows at hand at which a curve is reported
FOLDS = 5  # of the cross-validations of a learning curve


@dataclass(frozen=True, eq=False)
class RowPlan:
    """Hold the number of rows that a study needs.

    Parameters
    ----------
    expected : Anticipated
        Expected values, specified or from a table.
    asked : tuple of AskedRows
        The criteria.
    from_table : tuple of str
        Names of the values of `expected` that come from the table.
    lacking : tuple of str
        What could not be computed, and why.
    curve : LearningCurve or None
        The learning curve of a table.
    found : tuple of Found
        The chance to find a planted feature, by the number of rows.
    effect : tuple or None
        Its effect, its kind and the size of the signature.
    wanted : float or None
        The wanted performance.

    See Also
    --------
    hetsel.plan_rows

    Examples
    --------
    >>> plan = plan_rows(candidates=24, prevalence=0.174, r2=0.288)
    >>> isinstance(plan, RowPlan), plan.rows
    (True, 662)
    """

    expected: anticipated.Anticipated
    asked: tuple[AskedRows, ...]
    from_table: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    curve: learning_curve.LearningCurve | None = None
    found: tuple[Found, ...] = ()
    effect: tuple[float, EffectKind, int] | None = None
    wanted: float | None = None

    @property
    def rows(self) -> int:
        """The rows that the study needs: the most that a criterion requires, without validation."""
        most = asked_rows.largest(self.asked, STUDY)
        return 0 if most is None else int(most.rows)

    @property
    def validation_rows(self) -> int:
        """The rows that a validation needs; 0 if unknown."""
        most = asked_rows.largest(self.asked, ("validate",))
        return 0 if most is None else int(most.rows)

    def frame(self) -> pd.DataFrame:
        """Return the criteria, one per row: purpose, criterion, rows, events, source."""
        columns = ["purpose", "criterion", "rows", "events", "source"]
        each = self.facts().criteria
        content = [[one.purpose, one.asks, one.rows, one.events, one.source] for one in each]
        frame = pd.DataFrame(content, columns=columns)
        return frame.astype({"rows": "Int64", "events": float})

    def facts(self) -> plan_facts.PlanFacts:
        """Return all results as a record."""
        one, share = self.expected, self.expected.events_a_row
        criteria = []
        for asked in self.asked:
            rows = int(asked.rows) if isfinite(asked.rows) else None
            events = None if rows is None or share is None else round(rows * share, 1)
            criteria.append(
                plan_facts.Criterion(
                    asked.purpose, asked.key, asked.asks, rows, asked.source, events
                )
            )
        most, expected = asked_rows.largest(self.asked, STUDY), _expected(one)
        return plan_facts.PlanFacts(
            target_kind=one.kind,
            rows=self.rows or None,
            asked_by=None if most is None else most.asks,
            validation_rows=self.validation_rows or None,
            expected=expected,
            from_table=[*self.from_table],
            assumed=["nagelkerke_r2"] if one.unknown and expected.r2 is not None else [],
            criteria=criteria,
            lacking=[*self.lacking],
            curve=None if self.curve is None else _curve_facts(self.curve),
            rate=_rate_facts(self.curve, self.wanted),
            found=[_found_facts(one) for one in self.found],
            effect=None if self.effect is None else plan_facts.PlantedEffect(*self.effect),
        )


def _expected(one: anticipated.Anticipated) -> plan_facts.Expected:
    said = asdict(one)
    if anticipated.refuse_r2(one) == "":
        said["r2"] = one.cox_snell_r2()
        said["nagelkerke_r2"] = said["r2"] / one.largest()
    return plan_facts.Expected(**said, kind=one.kind)


def plan_rows(
    X: object = None,
    y: object = None,
    *,
    groups: object = None,
    signature: estimator.Signature | None = None,
    repeats: int = 10,
    width: float | None = None,
    rate: float | None = None,
    find_effect: float | None = None,
    effect_kind: EffectKind = "continuous",
    plantings: int = 40,
    progress: OnProgress | None = None,
    **expected: object,
) -> RowPlan:
    """Estimate how many rows a study needs, before the study.

    Without a table, the criteria of Riley and colleagues are applied to the expected values, as in
    pmsampsize. With P candidate parameters, the expected R^2 and the shrinkage S, the first
    criterion is n = P / ((S - 1) log(1 - R^2 / S)). Rows for a wanted width of the 95% CIs of
    balanced accuracy and AUC are added. With a table, the learning curve of the whole procedure of
    a signature gives the rows for a wanted width or performance. Planted columns give the chance to
    find a feature of a given effect. The table then supplies the expected values that are not
    specified.

    Parameters
    ----------
    X : Table, DataFrame or array of shape (n, p), optional
    y : array-like of shape (n,), optional
    groups : array-like of shape (n,), "copies" or "rows", optional
        Group of each row, such as the patient. Methods that hold out rows keep the rows of a group
        together. "copies": hetsel looks for groups itself: duplicate rows (equal or nearly equal),
        and rows with the same value in a column whose name marks an identifier, such as patient. If
        it finds duplicate rows and an identifier, it uses whichever puts more rows into groups. An
        identifier that hetsel finds stays a feature in any case. "rows": each row is a separate
        group.
    signature : Signature, optional
        The procedure: method, size, folds and so on. None is `Signature(folds=5)`.
    repeats : int
        Number of draws of nested subsets of the rows for the learning curve. Default: 10.
    width : float, optional
        Width of the 95% CI of the performance from nested cross-validation: of balanced accuracy
        and AUC for classes. With a table also of R^2 for a numeric target, and of the concordance
        for survival times.
    rate : float, optional
        Balanced accuracy, R^2 or concordance to reach on new rows. Needs a table.
    find_effect : float, optional
        Effect of a feature that the selection should find. For two classes: difference of the means
        in standard deviations, or Cohen's w for a nominal feature. For a numeric target:
        correlation. For survival times: log hazard ratio per standard deviation. hetsel adds a
        column with this effect to rows drawn from the table; the draw removes chance associations.
        Needs a table.
    effect_kind : {"continuous", "nominal"}
        Kind of the feature with this effect. Default: "continuous".
    plantings : int
        Number of columns with the effect that hetsel adds, for each number of rows. Default: 40.
    progress : callable, optional
        Function to call with (finished, all) parts of the work.
    candidates : int, optional
        Number of parameters of all candidate features, selected or not: a continuous feature has 1,
        a nominal feature with k levels has k - 1.
    prevalence : float or sequence of float, optional
        Expected proportion of rows with the event; for more than two classes the proportion of each
        class.
    c_statistic : float, optional
        Expected AUC of the model; for more than two classes the AUC of each pair. Alternatives:
        `r2` or `nagelkerke_r2`.
    r2 : float, optional
        Expected R^2: for classes and survival times R^2 of Cox and Snell, for a numeric target the
        coefficient of determination.
    nagelkerke_r2 : float, optional
        Expected R^2 of Nagelkerke. Use 0.15 if you know nothing about the expected performance.
    event_rate : float, optional
        Expected number of events per unit of time, for survival times.
    follow_up : float, optional
        Expected mean follow-up time of a row, for survival times.
    horizon : float, optional
        Time at which the risk is predicted, for survival times.
    mean : float, optional
        Expected mean of a numeric target. From mean and `deviation`, hetsel computes the number of
        rows that estimates the mean within 10%.
    deviation : float, optional
        Expected standard deviation of a numeric target.
    shrinkage : float
        Smallest acceptable shrinkage factor of the effects; overfitting makes it smaller. Default:
        0.9.
    optimism : float
        Largest acceptable difference of apparent and adjusted R^2. Default: 0.05.
    margin : float
        Largest acceptable margin of error of the estimated overall risk. Default: 0.05.

    Returns
    -------
    RowPlan

    Raises
    ------
    TableError
        If a value is missing, out of its range or inconsistent with others, or if the table cannot
        be used.

    See Also
    --------
    hetsel.Signature : The procedure that a table is used for.

    References
    ----------
    Riley et al. (2020) BMJ 368, m441; the `source` of each criterion names its paper.

    Examples
    --------
    >>> import hetsel
    >>> plan = hetsel.plan_rows(candidates=24, prevalence=0.174, r2=0.288)
    >>> plan.frame()["rows"].tolist(), plan.rows
    ([623, 662, 221], 662)
    """
    for name, value in (("width", width), ("rate", rate)):
        if value is not None and not 0 < value < 1:
            raise TableError(f"{name} must be a number above 0 and below 1. Got {value!r}")
    if X is None:
        for name, given in (("rate", rate), ("find_effect", find_effect), ("y", y)):
            if given is not None:
                raise TableError(f"{name} needs a table. Pass a table with its target")
        return _without_table(anticipated.anticipated(expected), width)
    repeats = whole_number("repeats", repeats, 2)
    plantings = whole_number("plantings", plantings, 2)
    one = anticipated.anticipated(expected, beside_table=True)
    asked = estimator.Signature(folds=FOLDS) if signature is None else signature
    data, procedure = _read(X, y, groups, asked)
    anticipated.refuse_foreign(one, data.target)
    if find_effect is not None:
        planted_columns.refuse_effect(data, find_effect, effect_kind)
    with kept_workers(asked.n_jobs, asked.dask):
        curve = learning_curve.learning_curve(data, procedure, repeats, asked.n_jobs, progress)
    found: tuple[Found, ...] = ()
    if find_effect is not None:
        given = (find_effect, curve.size, plantings, effect_kind)
        found = planted_columns.chance_to_find(data, procedure, *given, progress=progress)
    effect = None if find_effect is None else (float(find_effect), effect_kind, curve.size)
    return _with_table(one, data, curve, width, rate, found, effect)


def _read(
    X: object, y: object, groups: object, signature: estimator.Signature
) -> tuple[EncodedData, SignatureProcedure]:
    """Return the rows in the canonical order, and the procedure of the signature."""
    asked = estimator.Signature(**signature.get_params(deep=False)).set_params(
        permutations=0, pairs=0
    )
    refuse_other_rows(X, y=y, groups=groups)
    table = read_features(asked, X, reset=True)
    target = request.target_of(asked, y, len(table.values))
    procedure = request.procedure_of(asked, table.names, target.kind, len(target))
    if procedure.rivals:
        raise TableError("a plan needs a signature of one method. Got several")
    rows, _ = asked_groups("copies" if groups is None else groups, table, target)
    data = request.encode_rows(asked, table, target, procedure, None, rows)
    refuse_constant(data.table.resolve_missing(asked.missing))
    if reason := target_scores(data.target).too_few(data):
        raise TableError(f"{reason}. There is no learning curve")
    return data, procedure


def _without_table(one: anticipated.Anticipated, width: float | None) -> RowPlan:
    asked, lacking = asked_rows.to_develop(one), []
    if width is not None:
        widths = asked_rows.for_width(one, width)
        asked += widths
        if not widths:
            lacking.append(
                "rows for a width of the CI need a c_statistic and two classes, or a table"
            )
    return RowPlan(one, (*asked, *asked_rows.to_validate(one)), lacking=tuple(lacking))


def _with_table(
    one: anticipated.Anticipated,
    data: EncodedData,
    curve: learning_curve.LearningCurve,
    width: float | None,
    rate: float | None,
    found: tuple[Found, ...],
    effect: tuple[float, EffectKind, int] | None,
) -> RowPlan:
    expected, told = anticipated.anticipate_from_table(one, data, curve.performance)
    asked: list[AskedRows] = []
    lacking = [reason] if (reason := anticipated.refuse_r2(expected)) else []
    if not reason:
        asked = asked_rows.to_develop(expected)
    if width is not None:
        asked += asked_rows.for_width(expected, width, curve.performance, curve.rows)
    if rate is not None:
        asked.append(asked_rows.for_rate(curve, rate))
    if not reason:
        asked += asked_rows.to_validate(expected)
    if effect is not None and len(found) == 1:
        lacking.append(
            "the probability to select the planted feature with other numbers of rows. The method "
            "compares nearest neighbors, and rows drawn several times are their own neighbors"
        )
    return RowPlan(expected, tuple(asked), told, tuple(lacking), curve, found, effect, rate)


def _curve_facts(curve: learning_curve.LearningCurve) -> plan_facts.CurveFacts:
    at = np.unique([round(share * curve.rows) for share in SHOWN])
    each = zip(at, *curve.band(at), strict=True)
    main, law = curve.performance.main, curve.law
    return plan_facts.CurveFacts(
        measure=learning_curve.main_label(curve.performance),
        rows=curve.rows,
        farthest=curve.farthest,
        size=curve.size,
        points=[*curve.points],
        law=plan_facts.Law(law.limit, law.loss, law.exponent),
        band=[plan_facts.BandPoint(*map(float, one)) for one in each],
        whole=plan_facts.Whole(main.estimate, main.low, main.high),
    )


def _rate_facts(
    curve: learning_curve.LearningCurve | None, wanted: float | None
) -> plan_facts.WantedRate | None:
    if curve is None or wanted is None:
        return None
    return plan_facts.WantedRate(
        wanted, *(ceil(n) if isfinite(n) else None for n in curve.rows_for(wanted))
    )


def _found_facts(one: Found) -> plan_facts.ChanceToFind:
    share = one.share
    return plan_facts.ChanceToFind(
        one.rows, share.estimate, share.low, share.high, one.error, one.repeats
    )
