"""The shapes of a plan's entries: typed structs, which also are the JSON schema of a plan.

The title of a type is what an error says a value must be; the description of a field is what an
editor shows beside it.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from hetsel import datasets
from hetsel.tables.rescaling import Scale
from hetsel.tables.table import Missing

Text = Annotated[str, Meta(pattern=r"\S", title="text, e.g. 'heart'")]
Whole = Annotated[int, Meta(ge=0, title="a whole number, 0 or larger")]
Count = Annotated[int, Meta(ge=1, title="a whole number, 1 or larger")]
Folds = Annotated[int, Meta(ge=2, title="a whole number, 2 or larger")]
Share = Annotated[float, Meta(gt=0, lt=1, title="a number between 0 and 1, e.g. 0.1")]
Positive = Annotated[float, Meta(gt=0, le=sys.float_info.max, title="a positive number")]
_PositiveOr = Annotated[float, Meta(gt=0, le=sys.float_info.max)]  # whose title says it all
Penalty = Annotated[
    _PositiveOr | Literal["radius"],
    Meta(title="a positive number or 'radius', the default of SVMlight"),
]
Width = Annotated[
    _PositiveOr | Literal["size"],
    Meta(title="a positive number or 'size', 1 / (number of selected features)"),
]
BalancedOr = Annotated[Literal["balanced"] | None, Meta(title="'balanced', or nothing")]
Flag = Annotated[bool, Meta(title="true or false")]
Marks = Annotated[
    str | tuple[str, ...], Meta(title="a text or a list of texts such as ['unknown', '-9']")
]
Separator = Annotated[Literal[",", ";", "|", "\t", " "], Meta(title="',', ';', '|', '\\t' or ' '")]
Decimal = Annotated[Literal[".", ","], Meta(title="'.' or ','")]
Thousands = Annotated[Literal[",", ".", " ", "'"], Meta(title="',', '.', ' ' or \"'\"")]
Params = Annotated[dict[str, Any], Meta(title="a table such as {C = 0.1}")]
ImportPath = Annotated[
    str,
    Meta(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)+$", title="an import path, e.g. 'sklearn.svm.SVC'"),
]
# names or positions; which there are is known once the table is read
_LIST = {"type": "array", "items": {"type": ["string", "integer"]}}
_COLUMNS = [{"type": "string"}, _LIST]
_LEVELS = {"type": "object", "additionalProperties": {"type": "array"}}
Columns = Annotated[Any, Meta(extra_json_schema={"anyOf": _COLUMNS})]
Dropped = Annotated[
    Any, Meta(extra_json_schema={"anyOf": [{"type": "string"}, {**_LIST, "minItems": 1}]})
]
Ordinal = Annotated[Any, Meta(extra_json_schema={"anyOf": [*_COLUMNS, _LEVELS]})]
DataName = Annotated[str, Meta(extra_json_schema={"enum": sorted(datasets.NAMES)})]
# the registry knows them: see hetsel.study.plan.plan_schema
MethodKey = Annotated[
    str,
    Meta(
        title="the key of a method, e.g. 'rfe-mkl'",
        extra_json_schema={"$ref": "#/definitions/MethodKey"},
    ),
]
ClassifierKey = Literal[
    "clinical-svm", "linear-svm", "gaussian-svm", "random-forest", "naive-bayes", "5nn"
]


class SplitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rows are training rows and test rows; a share by default."""

    test_share: Annotated[
        Share | None, Meta(description="share of the rows that are test rows; default: 0.1")
    ] = None
    test_count: Annotated[Count | None, Meta(description="number of test rows")] = None
    train_count: Annotated[Count | None, Meta(description="number of training rows")] = None
    train_per_class: Annotated[
        Count | None, Meta(description="number of training rows of each class")
    ] = None


class DataEntry(Struct, frozen=True, eq=False, kw_only=True, forbid_unknown_fields=True):
    """A data set: one that hetsel knows by name, or a file of your own."""

    name: Annotated[Text, Meta(description="a data set of hetsel; or what to call that of a file")]
    file: Annotated[Text | None, Meta(description="the table; its path starts at this plan")] = None
    target: Annotated[Text | None, Meta(description="column with the class of each row")] = None
    positive: Annotated[
        Any, Meta(description="the positive one of two classes; default: yes, true, 1 or the last")
    ] = None
    nominal: Annotated[Columns, Meta(description="columns whose levels have no order")] = None
    ordinal: Annotated[Ordinal, Meta(description="columns with ordered levels")] = None
    continuous: Annotated[Columns, Meta(description="columns of numbers")] = None
    drop: Annotated[Dropped, Meta(description="columns to leave out")] = ()
    missing: Annotated[Missing, Meta(description="what becomes of missing cells")] = "impute"
    scale: Annotated[Scale, Meta(description="what continuous columns are measured by")] = "range"
    missing_marks: Annotated[Marks, Meta(description="further cells that mean missing")] = ()
    drop_unlabeled: Annotated[
        Flag, Meta(description="leave out rows whose target is missing; default: refuse them")
    ] = False
    separator: Annotated[Separator | None, Meta(description="between the columns")] = None
    encoding: Annotated[Text | None, Meta(description="of the file; default: utf-8")] = None
    decimal: Annotated[Decimal | None, Meta(description="mark of the numbers")] = None
    thousands: Annotated[Thousands | None, Meta(description="what groups their digits")] = None
    skip: Annotated[Whole | None, Meta(description="lines to leave out before the table")] = None
    header: Annotated[Flag | None, Meta(description="the first line names the columns")] = None
    sheet: Annotated[Text | None, Meta(description="of a workbook; default: the first")] = None
    split: Annotated[
        SplitEntry | None,
        Meta(title="a table such as {train_count = 100}", description="in place of the study's"),
    ] = None
    test_rows: Annotated[
        Text | None, Meta(description="column that is true in the rows of a given test set")
    ] = None
    row_groups: Annotated[
        Text | None,
        Meta(description="column by which rows belong together, as those of a patient; or copies"),
    ] = None
    row_weights: Annotated[
        Text | None,
        Meta(description="column with the weight of each row, for methods that weigh rows"),
    ] = None
    order: Annotated[
        Text | None, Meta(description="column with the time of each row, a number or a date")
    ] = None
    treatment_of: Annotated[
        Text | None,
        Meta(description="data set of this plan whose table this is, with other options"),
    ] = None


class EstimatorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An estimator of scikit-learn as a parameter, such as the one inside RFE."""

    key: Annotated[ImportPath, Meta(description="import path of its class")]
    params: Annotated[Params, Meta(description="its parameters")] = {}


class MethodEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A selection method."""

    key: Annotated[MethodKey, Meta(description="`hetsel methods` lists them")]
    params: Annotated[Params, Meta(description="parameters of the method")] = {}
    label: Annotated[Text | None, Meta(description="what reports call it")] = None
    encoding: Annotated[
        Literal["one-hot", "whole"] | None,
        Meta(description="how categorical columns reach a selector of scikit-learn"),
    ] = None


class ClinicalSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "clinical-svm"."""

    C: Positive = 10.0
    class_weight: BalancedOr = None


class LinearSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "linear-svm"."""

    C: Penalty = 1.0


class GaussianSVM(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "gaussian-svm"."""

    C: Penalty = 1.0
    gamma: Width = "size"


class RandomForest(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "random-forest"."""

    trees: Count = 500


class NaiveBayes(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "naive-bayes"."""

    smoothing: Positive = 1.0
    var_smoothing: Positive = 1e-9


class Neighbors(Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of "5nn"."""

    neighbors: Count = 5


CLASSIFIERS: dict[str, type[Struct]] = {
    "clinical-svm": ClinicalSVM,
    "linear-svm": LinearSVM,
    "gaussian-svm": GaussianSVM,
    "random-forest": RandomForest,
    "naive-bayes": NaiveBayes,
    "5nn": Neighbors,
}


class ClassifierEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A final classifier, which judges the selected features."""

    key: ClassifierKey
    params: Annotated[Params, Meta(description="parameters of the classifier")] = {}
    label: Annotated[Text | None, Meta(description="what reports call it")] = None


class ResamplingsEntry(SplitEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many splits into training and test rows, how large and of which kind."""

    count: Annotated[Count, Meta(description="how many splits")] = 200
    kind: Annotated[
        Literal["stratified", "random", "k-fold", "time-ordered"],
        Meta(description="stratified keeps the shares of the classes in both parts"),
    ] = "stratified"
    folds: Annotated[
        Folds | None, Meta(description="of kind k-fold, each of them tested once; default: 10")
    ] = None


Sizes = Annotated[tuple[Count, ...], Meta(min_length=1)]
DataSets = Annotated[tuple[DataName | DataEntry, ...], Meta(min_length=1)]
Methods = Annotated[tuple[MethodKey | MethodEntry, ...], Meta(min_length=1)]
Classifiers = Annotated[tuple[ClassifierKey | ClassifierEntry, ...], Meta(min_length=1)]


class PlanEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The plan of a study: data sets x methods x resamplings."""

    name: Annotated[Text, Meta(description="of the study; default: that of the file")] = "study"
    datasets: Annotated[DataSets | DataName | DataEntry, Meta(description="the tables")]
    methods: Annotated[Methods | MethodKey | MethodEntry, Meta(description="the methods")]
    resamplings: Annotated[
        Count | ResamplingsEntry, Meta(description="how many splits into training and test rows")
    ] = 200
    sizes: Annotated[
        Literal["auto"] | Count | Sizes,
        Meta(description="of the signatures; auto: all up to 40 features, then 20 % a step"),
    ] = "auto"
    classifiers: Annotated[
        Classifiers | ClassifierKey | ClassifierEntry,
        Meta(description="final classifiers; reports show the first"),
    ] = ("clinical-svm",)
    seed: Annotated[Whole, Meta(description="everything that is drawn follows from it")] = 0
