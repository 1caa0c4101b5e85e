"""What probabilities are worth, in sentences, from their facts."""

from msgspec import UnsetType

from hetsel.ground import listed, plain_number, shown
from hetsel.signature.probabilities.probability_facts import Movement, ProbabilityFacts
from hetsel.words.phrases import bracketed


def calibration(one: ProbabilityFacts) -> str:
    """The Brier score, and slope and intercept of each class.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> from hetsel.signature.performance import Interval
    >>> value = Interval(0.9, 0.7, 1.1, 0.95)
    >>> own = Part(of_class="yes", slope=value, intercept=value)
    >>> calibration(Part(brier=Part(rate=0.125), prevalence=None, classes=[own]))
    'Probabilities: Brier score 0.125, calibration slope 0.90 [0.70, 1.10], intercept 0.90 [0.70, 1.10].'
    """  # noqa: E501
    score = f"Brier score {one.brier.rate:.3f}"
    several = len(one.classes) > 1
    parts = [score]
    for of_class in one.classes:
        of = f" of class {shown(str(of_class.of_class))}" if several else ""
        if of_class.slope.rate is not None:
            parts.append(f"calibration slope{of} {bracketed(of_class.slope, 2)}")
        if not several and of_class.intercept.rate is not None:
            parts.append(f"intercept {bracketed(of_class.intercept, 2)}")
    said = f"Probabilities: {', '.join(parts)}."
    if one.prevalence is not None:
        shares = one.prevalence
        told = plain_number(shares[1], 3) if len(shares) == 2 else listed(map(plain_number, shares))
        said += f" They are those where the prevalence is {told}, and rows weigh accordingly."
    return said


def miscalibrated(one: ProbabilityFacts) -> str:
    """What is wrong with them, if an interval of slope or intercept says so.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> slope, level = Part(known=Part(low=0.3, high=0.8)), Part(known=None)
    >>> miscalibrated(Part(classes=[Part(of_class="yes", slope=slope, intercept=level)]))
    'Probabilities of yes are too extreme: those near 0 or 1 are to be taken with care.'
    """
    told = []
    for of_class in one.classes:
        name = shown(str(of_class.of_class))
        slope, level = of_class.slope.known, of_class.intercept.known
        if slope is not None and slope.high < 1:
            told.append(
                f"Probabilities of {name} are too extreme: those near 0 or 1 are to be taken with "
                "care."
            )
        elif slope is not None and slope.low > 1:
            told.append(f"Probabilities of {name} are too near to its share.")
        if level is not None and level.low > 0:
            told.append(f"They are too low: there are more rows of {name} than they say.")
        elif level is not None and level.high < 0:
            told.append(f"They are too high: there are fewer rows of {name} than they say.")
    return " ".join(told)


def benefit(one: ProbabilityFacts) -> str:
    """From where to where deciding by the model is better than treating all or none."""
    said = []
    for of_class in one.classes:
        curve, name = of_class.decision, shown(str(of_class.of_class))
        marks = curve.threshold
        each = zip(marks, curve.over_better_low, strict=True)
        sure = [mark for mark, low in each if mark is not None and (low or 0) > 0]
        if not sure:
            said.append(
                f"No threshold is shown at which deciding for {name} by the model does more good "
                "than treating all rows or none."
            )
            continue
        between = [mark for mark in marks if mark is not None and sure[0] <= mark <= sure[-1]]
        said.append(
            f"Deciding for {name} by the model is shown to do more good than treating all rows or "
            f"none at thresholds from {sure[0]:.2g} to {sure[-1]:.2g}"
            + ("." if sure == between else ", not at all of them.")
        )
    if one.threshold is not None and one.cost_of_missing is not None:
        said.append(
            f"Where missing a case costs {plain_number(one.cost_of_missing)} times a needless "
            f"treatment the threshold is {one.threshold:.3g}."
        )
    return " ".join(said)


def movement(moved: Movement | UnsetType | None, threshold: float | None = None) -> str:
    """How much the probability of a person would move.

    Examples
    --------
    >>> from hetsel.signature.probabilities.probability_facts import Crossed
    >>> moved = Movement(50, 0.11, 0.18, 0.09, [Crossed(0.5, 0.09)], [])
    >>> movement(moved).split(":")[0]
    'With other rows to learn from the probability of a row would be another'
    """
    if not isinstance(moved, Movement):
        return ""
    said = (
        "With other rows to learn from the probability of a row would be another: its standard "
        f"deviation over such models is {moved.median:.2f} for the median row and above "
        f"{moved.high:.2f} for one in ten."
    )
    crossed = [one for one in moved.crossed if threshold in (None, one.threshold)][-1]
    return (
        f"{said} {100 * crossed.share:.0f} % of such models put a row on the other side of "
        f"{crossed.threshold:.3g} than most do."
    )
