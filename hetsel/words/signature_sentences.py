"""What a signature comes to, in sentences made of its facts."""

from hetsel.ground import counted, listed, plain_number, shown
from hetsel.signature.nested.against_chance import LEVEL
from hetsel.signature.performance import Measure
from hetsel.signature.signature_facts import NOT_SHOWN, StableFeatures
from hetsel.words import phrases, probability_sentences
from hetsel.words.target_words import AnsweredFacts, Facts, words_of

RULES = {
    "one-se": "the smallest size within one standard error of the best",
    "quarter-se": "the smallest size within a quarter of a standard error of the best",
    "knee": "where the curve of the sizes bends most",
    "equal": "the smallest size within 1 % of the best",
}
SELDOM = 0.5  # share of the halves below which a feature is named
REPLACED = 3  # features whose replacements are named
NO_EFFECT = 1e-6  # of the largest effect: a smaller one is none
AT_CORNER = 0.5  # share of the decision values at -1 or 1 that needs an explanation
MANY_NAMES = 30  # names of a signature that a sentence lists
UNITS = ("rmse", "mae")  # measures that have the unit of the target


def copies(facts: Facts) -> str:
    """Which rows are no rows of their own, and what was done about it."""
    one = facts.copies
    if one is None:
        return ""
    like = "equal" if one.equal == one.rows else "equal or nearly equal"
    where = f" in {listed(one.columns)}" if one.columns else ""
    what = "Is there a column that says what belongs together, name it as row groups"
    if len(one.columns) == 1:  # an identifier by its name
        what = "Name it as row groups or drop it, that it is no feature"
    return (
        f"REPEATED ROWS: {one.rows:,} of {facts.rows:,} rows are "
        f"{'equal' if where else like} to others{where}. They were grouped, "
        f"{one.groups:,} groups of up to {one.largest:,}: each is held out, permuted and "
        f"counted as a whole, as noise predicts its own copies. {what}; "
        '"rows" takes each row as one of its own.'
    )


def verdict(facts: Facts) -> str:
    """Whether the signature is worth anything."""
    if facts.reason:
        return f"{facts.reason[0].upper()}{facts.reason[1:]}; no performance is told."
    test = facts.chance
    if test is None:
        return "Not tested against chance."
    drawn = ""
    if not test.full:
        settled = test.settled
        drawn = " (drawn until that was settled)" if settled else " (the most that are drawn)"
    about = (
        f"p = {test.pvalue:.2g} by {len(test.permuted)} permutations of the "
        f"{words_of(facts).permuted}{drawn}, with selection and model done anew for each"
    )
    if facts.few:
        about = f"{facts.few}; {about}"
    return f"{facts.verdict[0].upper()}{facts.verdict[1:]}: {about}.{_still_allowed(facts)}"


def _still_allowed(facts: Facts) -> str:
    """What a test that does not reject leaves open: the upper end of the interval."""
    one = facts.performance
    if facts.verdict != NOT_SHOWN or one is None or one.main.high is None:
        return ""
    return (
        f" That does not show that it is chance: these rows still allow {words_of(facts).value} "
        f"of up to {one.main.high:.3f} on new ones."
    )


def features(facts: Facts) -> str:
    """How many features, and which."""
    names = [one.feature for one in facts.features]
    how = f" ({RULES[facts.rule]})" if facts.rule else ""
    said = f"{len(names)} of {counted(facts.columns, 'feature')}{how}: {listed(names, MANY_NAMES)}."
    if facts.always:
        asked = listed(facts.always, MANY_NAMES)
        said += f" Always in, as asked, and not counted in stability and false selections: {asked}."
    if facts.of_one_group:
        of = listed(facts.of_one_group, MANY_NAMES)
        said += f" Of a new row group {of} says nothing: each level stands in one row group only."
    return said


def choice(facts: Facts) -> str:
    """Which of several methods was chosen, and that the choice is in the estimate.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> tried = Part(tried=["rfe-mkl", "hsic"], nested=[9, 1])
    >>> choice(Part(methods=tried, method="rfe-mkl", chance=None))
    'rfe-mkl was chosen of 2 methods; without an outer fold: rfe-mkl 9 times, hsic once.'
    """
    one = facts.methods
    if one is None:
        return ""
    each = zip(one.tried, one.nested, strict=True)
    times = {1: "once", 2: "twice"}
    told = ", ".join(f"{key} {times.get(count, f'{count} times')}" for key, count in each)
    said = f"{facts.method} was chosen of {len(one.tried)} methods; without an outer fold: {told}."
    if facts.chance is not None:
        said += f" p is multiplied by {len(one.tried)} for that."
    return said


def performance(facts: AnsweredFacts) -> str:
    """How good the model will be on new rows."""
    one = facts.performance
    if one is None:
        return ""
    level = f"{100 * (one.main.level or 0):g} % interval"
    if one.kind != "classes":
        known = [measure for measure in one.measures if measure.rate is not None]
        told = ", ".join(f"{measure.label} {measured(measure)}" for measure in known)
        return f"On new rows, with the {level}: {told}." if told else ""
    parts: list[str] = []
    for measure in one.measures:
        if measure.rate is None:  # of rows of one class
            continue
        if measure.key == "auc":
            parts[-1] += f"; {measure.label} {phrases.bracketed(measure)}"
        else:
            of = "" if measure.of_class is None else f" of class {shown(measure.of_class)}"
            parts.append(f"{measure.label}{of} {phrases.bracketed(measure)}")
    return f"On new rows, with the {level}: {', '.join(parts)}."


def probabilities(facts: Facts) -> str:
    """What the probabilities of the classes are worth."""
    return (
        ""
        if facts.probabilities is None
        else probability_sentences.calibration(facts.probabilities)
    )


def estimate(facts: Facts) -> str:
    """How the performance was estimated, and what choosing the size adds to inner scores."""
    one = facts.performance
    if one is None:
        return ""
    how = f"{counted(one.runs, 'nested cross-validation')} of {one.folds} folds"
    whole = "whole groups" if facts.groups is not None else "rows"
    said = f"Estimated by {how}: {whole} that judge took no part in selection, size and model."
    if facts.rule and one.inner is not None:
        said += f" The cross-validation that chose the size reads {one.inner:.3f}"
        if one.optimism is not None and one.learning is not None:
            said += (
                f"; on rows that had no part in it such models reach "
                f"{one.inner - one.optimism:.3f}, to which learning from all rows adds "
                f"{one.learning:+z.3f} by estimate"
            )
        said += "."
    return said


def agreement(facts: Facts) -> str:
    """What the test did to the interval, or why they differ."""
    one, test = facts.performance, facts.chance
    if one is None or test is None:
        return ""
    if one.low_alone is not None:
        return (
            "The test puts the low end of the interval at chance; by itself it is "
            f"{one.low_alone:.3f}."
        )
    if test.pvalue <= LEVEL and not one.above_chance:
        words = words_of(facts)
        return (
            f"Features and {words.permuted} go together by the test, which looks at the "
            f"{words.tested_all} of all sizes; the model of this size is not shown to use it."
        )
    return ""


def weighing(facts: Facts) -> str:
    """What the weights of the rows leave of them.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> weighing(Part(effective_rows=[61.25, 20.0], classes=["no", "yes"]))
    "Rows are weighted and count as 61.2 equal ones of class no, 20.0 of class yes (Kish's number)."
    """
    rows = facts.effective_rows
    if rows is None:
        return ""
    if not facts.classes:
        return f"Rows are weighted and count as {rows[0]:,.1f} equal ones (Kish's number)."
    of_classes = [
        f"{count:,.1f}{' equal ones' if not k else ''} of class {shown(str(label))}"
        for k, (count, label) in enumerate(zip(rows, facts.classes, strict=True))
    ]
    return f"Rows are weighted and count as {', '.join(of_classes)} (Kish's number)."


def stability(facts: Facts) -> str:
    """Whether others would find the same."""
    one, stable = facts.stability, facts.stable
    if one is None:
        return ""
    said = (
        f"Signatures of this size, selected in the two halves of the rows, agree with stability "
        f"{one.nogueira:z.2f} (0 is chance, 1 the same features always; mean of "
        f"{one.halves // 2} random divisions)."
    )
    chancy = [one.feature for one in facts.features if (one.frequency or 0.0) < SELDOM]
    if chancy:
        said += (
            f" Selected in less than half of the halves, so that chance has a part in it: "
            f"{listed(chancy, MANY_NAMES)}."
        )
    return said if stable is None else said + _kept(stable)


def _kept(stable: StableFeatures) -> str:
    """What is selected in enough halves, if more of it is true than false.

    Examples
    --------
    >>> _kept(StableFeatures([], ["age"], 0.66, 0.93, "unimodal", [])).split(": ")[-1]
    'no feature can be called stable.'
    """
    said = ""
    if stable.above:
        names = listed(stable.above, MANY_NAMES)
        said = (
            f" Selected in {100 * stable.threshold:.0f} % of the halves or more: {names}. At "
            f"most {stable.false_at_most:.2g} of these are expected to be false "
            f"({stable.assumption} bound of Shah and Samworth)"
        )
        said += "." if stable.features else ": no feature can be called stable."
    if stable.doubtful:
        names = listed(stable.doubtful, MANY_NAMES)
        said += (
            f" Halves with a permuted target often select {names}, too: to be selected often is "
            "no evidence there."
        )
    return said


def joint(facts: Facts) -> str:
    """Whether two features together tell what the additive model cannot."""
    one = facts.joint
    if one is None:
        return ""
    names = " and ".join(shown(name) for name in one.features)
    return (
        f"{names} tell more together than one by one: a model with their product predicts held-out "
        f"rows at a balanced rate of {one.with_pair:.2f}, the same model without it at "
        f"{one.rate:.2f}. The final model adds up effects and cannot show that; look at a "
        "classifier with interactions."
    )


def without_effect(facts: Facts) -> str:
    """Which features of the signature the final model leaves out, and why that says little."""
    sizes: dict[str, list[float]] = {}
    for piece in facts.effects:
        own = sizes.setdefault(piece.feature, [])
        own += [abs(piece.effect_low), abs(piece.effect_high)]
    reach = {name: max(own) for name, own in sizes.items()}
    largest = max(reach.values(), default=0.0)
    names = [name for name, own in reach.items() if own <= NO_EFFECT * largest]
    if not names:
        return ""
    what = f"The final model gives no effect to {listed(names, MANY_NAMES)}"
    if facts.on_margin is None or facts.on_margin < AT_CORNER:
        return f"{what}: on these rows it does as well by the others."
    corner = f"{100 * facts.on_margin:.0f} % of the decision values are exactly -1 or 1"
    return (
        f"{what}. Its C of {facts.C:g} asks for the least loss on these rows, and on columns of "
        f"few values that lies in a corner: {corner}, and features that are not needed for it are "
        "left out. That is no sign that they tell nothing: with another C, or a few other rows, "
        "they can have one."
    )


def replacements(facts: Facts) -> str:
    """Which features can take the place of which."""
    able = [one for one in facts.features if one.alternatives]
    if not able:
        return ""
    pairs = [f"{shown(one.feature)} by {listed(one.alternatives, 3)}" for one in able[:REPLACED]]
    more = len(able) - REPLACED
    rest = f"; and {counted(more, 'feature')} more can be replaced" if more > 0 else ""
    return f"As good with one feature replaced: {'; '.join(pairs)}{rest}."


def lacks(facts: Facts) -> str:
    """What a quick signature was not asked for."""
    lacking = ", ".join(f"no {what}" for what in facts.lacks)
    return f"Quick: {lacking}." if lacking else ""


def sentences(facts: Facts) -> list[str]:
    """All of it, the verdict first but for repeated rows; what is not there is left out."""
    head = (copies, verdict, features, choice, performance, probabilities, estimate, agreement)
    rest = (weighing, stability, replacements, without_effect, joint, lacks)
    return [said for part in (*head, *rest) if (said := part(facts))]


def measured(one: Measure) -> str:
    """A measure of any size with its interval.

    Examples
    --------
    >>> measured(Measure(1234.5, 1100.0, 1400.0, 0.95, key="mae", label="MAE", rows=80))
    '1234 [1100, 1400]'
    """
    return phrases.in_brackets(digits_of(one))


def digits_of(one: Measure) -> list[str]:
    """A measure of any size in digits, and the ends of its interval if it has one."""
    return phrases.in_digits(one, plain_number if one.key in UNITS else "{:z.3f}".format)
