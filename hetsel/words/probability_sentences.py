"""Sentences on predicted probabilities, made of their facts."""

from msgspec import UnsetType

from hetsel.ground import listed, plain_number, shown
from hetsel.signature.probabilities.probability_facts import PredictionInstability, ProbabilityFacts
from hetsel.words.phrases import bracketed


def calibration(one: ProbabilityFacts) -> str:
    """State the Brier score, and calibration slope and intercept of each class.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> from hetsel.signature.performance import Interval
    >>> value = Interval(0.9, 0.7, 1.1, 0.95)
    >>> own = Part(of_class="yes", slope=value, intercept=value)
    >>> calibration(Part(brier=Part(estimate=0.125), prevalence=None, classes=[own]))
    'Predicted probabilities: Brier score 0.125, calibration slope 0.90 [0.70, 1.10], calibration intercept 0.90 [0.70, 1.10].'
    """  # noqa: E501
    score = f"Brier score {one.brier.estimate:.3f}"
    several = len(one.classes) > 1
    parts = [score]
    for of_class in one.classes:
        of = f" of class {shown(str(of_class.of_class))}" if several else ""
        if of_class.slope.estimate is not None:
            parts.append(f"calibration slope{of} {bracketed(of_class.slope, 2)}")
        if not several and of_class.intercept.estimate is not None:
            parts.append(f"calibration intercept {bracketed(of_class.intercept, 2)}")
    said = f"Predicted probabilities: {', '.join(parts)}."
    if one.prevalence is not None:
        each = one.prevalence
        value = plain_number(each[1], 3) if len(each) == 2 else listed(map(plain_number, each))
        said += f" They refer to a prevalence of {value}; rows are weighted to match it."
    return said


def miscalibrated(one: ProbabilityFacts) -> str:
    """State miscalibration, if the interval of slope or intercept excludes the best value.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> slope, level = Part(known=Part(low=0.3, high=0.8)), Part(known=None)
    >>> miscalibrated(Part(classes=[Part(of_class="yes", slope=slope, intercept=level)]))
    'Predicted probabilities of class yes are too extreme (slope below 1). Treat values near 0 or 1 with care.'
    """  # noqa: E501
    parts = []
    for of_class in one.classes:
        name = shown(str(of_class.of_class))
        slope, level = of_class.slope.known, of_class.intercept.known
        if slope is not None and slope.high < 1:
            parts.append(
                f"Predicted probabilities of class {name} are too extreme (slope below 1). Treat "
                "values near 0 or 1 with care."
            )
        elif slope is not None and slope.low > 1:
            parts.append(
                f"Predicted probabilities of class {name} are too close to its prevalence (slope "
                "above 1)."
            )
        if level is not None and level.low > 0:
            parts.append(
                f"Predicted probabilities of class {name} are too low: the class is more frequent "
                "than predicted."
            )
        elif level is not None and level.high < 0:
            parts.append(
                f"Predicted probabilities of class {name} are too high: the class is less frequent "
                "than predicted."
            )
    return " ".join(parts)


def benefit(one: ProbabilityFacts) -> str:
    """State the thresholds with a higher net benefit than treat all and treat none."""
    several = len(one.classes) > 1
    treated = "the class" if several else f"class {shown(str(one.classes[0].of_class))}"
    said = [
        f"To treat a row means to act as if it were of {treated}. A row is treated if its "
        f"predicted probability of {treated} is at or above a threshold. The net benefit is the "
        "number of true positives minus the weighted number of false positives, per row; the "
        "weight is threshold / (1 - threshold)."
    ]
    for of_class in one.classes:
        curve, marks = of_class.decision, of_class.decision.threshold
        of = f"Class {shown(str(of_class.of_class))}: " if several else ""
        each = zip(marks, curve.over_better_low, strict=True)
        sure = [mark for mark, low in each if mark is not None and (low or 0) > 0]
        if not sure:
            said.append(
                f"{of}At no threshold is the net benefit of the model "
                "shown to be higher than that of treating all rows and of treating no rows."
            )
            continue
        between = [mark for mark in marks if mark is not None and sure[0] <= mark <= sure[-1]]
        said.append(
            f"{of}At thresholds from {sure[0]:.2g} to {sure[-1]:.2g}"
            + (", " if sure == between else " (with gaps), ")
            + "the model is shown to have a higher net benefit than treating all rows and than "
            "treating no rows: the whole CI of the difference between the model and the better of "
            "the two is above 0."
        )
    if one.threshold is not None and one.harm_ratio is not None:
        said.append(
            f"If a missed case does {plain_number(one.harm_ratio)} times as much harm as an "
            f"unnecessary treatment, the threshold is {one.threshold:.3g}."
        )
    return " ".join(said)


def prediction_instability(
    moved: PredictionInstability | UnsetType | None, threshold: float | None = None
) -> str:
    """State how much the predicted probability of a row varies between models.

    Examples
    --------
    >>> from hetsel.signature.probabilities.probability_facts import Disagreement
    >>> moved = PredictionInstability(50, 0.11, 0.18, 0.09, [Disagreement(0.5, 0.09)], [])
    >>> prediction_instability(moved).split(". ")[0]
    'Prediction instability: the predicted probability of a row varies between models of half-samples'
    """  # noqa: E501
    if not isinstance(moved, PredictionInstability):
        return ""
    disagreement = [one for one in moved.disagreement if threshold in (None, one.threshold)][-1]
    return (
        "Prediction instability: the predicted probability of a row varies between models of "
        f"half-samples. Its standard deviation is above {moved.median:.2f} for half of the rows "
        f"and above {moved.high:.2f} for one row in ten. For each row, the majority of these "
        f"models puts the row on one side of the threshold {disagreement.threshold:.3g}. On "
        f"average over the rows, {100 * disagreement.proportion:.0f}% of the models disagree with "
        "this majority."
    )
