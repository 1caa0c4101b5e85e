"""Sentences on a signature, made of its facts."""

from hetsel.ground import listed, plain_number, shown
from hetsel.signature.nested.against_chance import LEVEL
from hetsel.signature.performance import Measure
from hetsel.signature.signature_facts import ABOVE, NOT_SHOWN, TOO_FEW_ROWS, StableFeatures
from hetsel.words import phrases, probability_sentences
from hetsel.words.target_words import AnsweredFacts, Facts, inner_score, measure_name, words_of

RULES = {  # {score} stands for the inner score
    "one-se": "the smallest number of features whose cross-validated {score} is at most one "
    "standard error below the best {score}",
    "quarter-se": "the smallest number of features whose cross-validated {score} is at most a "
    "quarter of a standard error below the best {score}",
    "knee": "the number of features at which the curve of the cross-validated {score} bends most",
    "equal": "the smallest number of features whose cross-validated {score} is at most 1% below "
    "the best {score}",
}
SELDOM = 0.5  # selection frequency below which a feature is named
REPLACED = 3  # features whose alternatives are named
NO_EFFECT = 1e-6  # of the largest effect: a smaller one is none
AT_CORNER = 0.5  # proportion of the decision values at -1 or 1 that needs an explanation
MANY_NAMES = 30  # names of a signature that a sentence lists
LACKING = {  # terms for what a quick signature lacks
    "test against chance": "permutation test",
    "replacements": "alternative features",
    "joint effects": "search for interactions",
}
UNITS = ("rmse", "mae")  # measures that have the unit of the target
FREQUENCY = 100  # rows that a conclusion counts by


def copies(facts: Facts) -> str:
    """Name the duplicate rows and how they were handled."""
    one = facts.duplicate_rows
    if one is None:
        return ""
    like = "equal" if one.equal == one.rows else "equal or nearly equal"
    where = f" in {listed(one.columns)}" if one.columns else ""
    what = "If a column identifies the rows that belong together, name it as row groups."
    if len(one.columns) == 1:  # an identifier by its name
        what = "Name this column as row groups, or drop it, because it is not a feature."
    return (
        f"DUPLICATE ROWS: {one.rows:,} of {facts.rows:,} rows are {'equal' if where else like} "
        f"to other rows{where}. They form {one.groups:,} row groups of up to {one.largest:,} "
        "rows. Each group is held out, permuted and counted as a whole; otherwise even noise "
        "would predict the duplicates of its training "
        f'rows. {what} Set the row groups to "rows" to treat each row as separate.'
    )


def verdict(facts: Facts) -> str:
    """State whether the signature is better than chance."""
    if facts.reason:
        return f"{facts.reason[0].upper()}{facts.reason[1:]}. Performance cannot be estimated."
    test = facts.permutation_test
    if test is None:
        return "Not tested against chance."
    parts = [
        f"{facts.verdict[0].upper()}{facts.verdict[1:]}: permutation test p = {test.pvalue:.2g} "
        f"({len(test.permuted)} permutations of the {words_of(facts).permuted}; selection and "
        "training were repeated for each)."
    ]
    if not test.full and test.settled:
        parts.append("The test stopped early, when the result was clear.")
    elif not test.full:
        parts.append("The test stopped at the maximum number of permutations.")
    if facts.few:
        parts.append(f"{facts.few[0].upper()}{facts.few[1:]}: few data support this result.")
    return " ".join(parts) + _still_allowed(facts)


def _still_allowed(facts: Facts) -> str:
    """State the performance that a test without rejection leaves possible."""
    one = facts.performance
    if facts.verdict != NOT_SHOWN or one is None or one.main.high is None:
        return ""
    return (
        " This does not prove that the signature is useless: these rows are compatible with "
        f"{words_of(facts).value} of up to {one.main.high:.3f} on new rows."
    )


def features(facts: Facts) -> str:
    """Name the selected features."""
    names = listed((one.feature for one in facts.features), MANY_NAMES)
    return f"{_selected(facts)}: {names}.{_exceptions(facts)}"


def rule(facts: Facts) -> str:
    """Describe the rule that chose the size; empty if the size was specified."""
    return RULES[facts.rule].format(score=inner_score(facts)) if facts.rule else ""


def chosen_size(facts: Facts) -> str:
    """State how many features are selected, where a table names them."""
    return f"{_selected(facts)}.{_exceptions(facts)}"


def _selected(facts: Facts) -> str:
    how = f" (rule: {rule(facts)})" if facts.rule else ""
    return f"Selected {len(facts.features)} of {phrases.count(facts.columns, 'feature')}{how}"


def _exceptions(facts: Facts) -> str:
    """Name features that are always included, and those that a new row group cannot use."""
    said = ""
    if facts.always:
        said += (
            f" Always included, as requested: {listed(facts.always, MANY_NAMES)}. Stability and "
            "expected false selections do not count these."
        )
    if facts.of_one_group:
        said += (
            " Uninformative for a new row group, because each level occurs in only one row group: "
            f"{listed(facts.of_one_group, MANY_NAMES)}."
        )
    return said


def choice(facts: Facts) -> str:
    """Name the method that was chosen among several, and how p accounts for the choice.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> tried = Part(tried=["rfe-mkl", "hsic"], nested=[9, 1])
    >>> choice(Part(methods=tried, method="rfe-mkl", permutation_test=None))
    'rfe-mkl was chosen among 2 methods. The outer folds chose rfe-mkl 9 times, hsic once.'
    """
    one = facts.methods
    if one is None:
        return ""
    each = zip(one.tried, one.nested, strict=True)
    times = {1: "once", 2: "twice"}
    chosen = ", ".join(f"{key} {times.get(count, f'{count} times')}" for key, count in each)
    said = (
        f"{facts.method} was chosen among {len(one.tried)} methods. The outer folds chose {chosen}."
    )
    if facts.permutation_test is not None:
        said += f" The p-value is multiplied by {len(one.tried)} for this choice."
    return said


def performance(facts: AnsweredFacts) -> str:
    """State the performance on new rows."""
    one = facts.performance
    if one is None:
        return ""
    level = f"{100 * (one.main.level or 0):g}% CI"
    known = [measure for measure in one.measures if measure.estimate is not None]
    show = phrases.bracketed if one.kind == "classes" else measured
    values = ", ".join(f"{measure_name(facts, measure)} {show(measure)}" for measure in known)
    return f"Performance on new rows ({level} in brackets): {values}." if values else ""


def probabilities(facts: Facts) -> str:
    """State how well the predicted probabilities are calibrated."""
    return (
        ""
        if facts.probabilities is None
        else probability_sentences.calibration(facts.probabilities)
    )


def estimate(facts: Facts) -> str:
    """State how the performance was estimated, and the optimism of choosing the size."""
    one = facts.performance
    if one is None:
        return ""
    times = "" if one.runs == 1 else f", repeated {one.runs} times"
    held_out = "Held-out rows" if facts.groups is None else "Held-out rows, always whole groups,"
    said = (
        f"Estimated by nested cross-validation with {one.folds} folds{times}. {held_out} took no "
        "part in selection, choice of the number of features or training."
    )
    if facts.rule and one.inner is not None:
        value = words_of(facts).value
        said += (
            f" The cross-validation that chose the number of features gave {value} of "
            f"{one.inner:.3f}. This is optimistic, because the same rows made the choice."
        )
        if one.optimism is not None and one.training_gain is not None:
            said += (
                " In nested cross-validation, the number is chosen again for each held-out fold, "
                f"without the rows of this fold: the {words_of(facts).short} was "
                f"{one.inner - one.optimism:.3f}. Models of cross-validation are trained without "
                "one fold, the final model on all rows. The estimated gain from these additional "
                f"rows (training gain) is {one.training_gain:+z.3f}; the reported "
                f"{one.main.value:.3f} includes it."
            )
    return said


def agreement(facts: Facts) -> str:
    """State how the interval was aligned with the test, or why they differ."""
    one, test = facts.performance, facts.permutation_test
    if one is None or test is None:
        return ""
    if one.low_without_test is not None:
        return (
            f"The lower limit of the CI was set to the chance level ({one.chance_level:.3g}), to "
            f"agree with the permutation test. Without the test it is {one.low_without_test:.3f}."
        )
    if test.pvalue <= LEVEL and not one.above_chance:
        words = words_of(facts)
        return (
            f"The permutation test finds an association of features and {words.permuted}; it uses "
            f"the {words.tested} at the best of all sizes. The model of this size is not shown to "
            "use the association."
        )
    return ""


def weighing(facts: Facts) -> str:
    """State the effective sample size of weighted rows.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> weighing(Part(effective_sample_size=[61.25, 20.0], classes=["no", "yes"]))
    'Rows are weighted. Effective sample size (Kish): 61.2 rows of class no, 20.0 of class yes.'
    """
    rows = facts.effective_sample_size
    if rows is None:
        return ""
    start = "Rows are weighted. Effective sample size (Kish)"
    if not facts.classes:
        return f"{start}: {rows[0]:,.1f} rows."
    of_classes = [
        f"{count:,.1f}{' rows' if not k else ''} of class {shown(str(label))}"
        for k, (count, label) in enumerate(zip(rows, facts.classes, strict=True))
    ]
    return f"{start}: {', '.join(of_classes)}."


def stability(facts: Facts) -> str:
    """State whether other rows would lead to the same selection."""
    one, stable = facts.stability, facts.stable
    if one is None:
        return ""
    said = (
        f"Stability {one.nogueira:z.2f} (0: random selections, 1: identical selections). It is the "
        "agreement of the signatures that are selected in two random halves of the rows, averaged "
        f"over {one.half_samples // 2} divisions into halves."
    )
    chancy = [one.feature for one in facts.features if (one.frequency or 0.0) < SELDOM]
    if chancy:
        said += (
            " Selected in fewer than half of the half-samples, so partly by chance: "
            f"{listed(chancy, MANY_NAMES)}."
        )
    return said if stable is None else said + _kept(stable, facts.frequency)


def _kept(stable: StableFeatures, frequency: dict[str, float]) -> str:
    """Name the stable features, if more of them are true than false.

    Examples
    --------
    >>> one = StableFeatures([], ["age"], 0.66, 0.93, "unimodal", [], [])
    >>> _kept(one, {}).split("Therefore ")[-1]
    'no feature can be called stable at this bound.'
    """
    said, percent = "", f"{100 * stable.threshold:.0f}%"
    if stable.above:
        names = listed(stable.above, MANY_NAMES)
        said = (
            f" Stable features, selected in at least {percent} of the half-samples: {names}. At "
            "this threshold, at most one false selection (a feature unrelated to the target) is "
            f"expected: the {stable.assumption} bound of Shah and Samworth is "
            f"{stable.expected_false_selections:.2g}."
        )
        if not stable.features:
            said += " Therefore no feature can be called stable at this bound."
    if stable.doubtful:
        said += _doubtful(stable, frequency)
    return said


def _doubtful(stable: StableFeatures, frequency: dict[str, float]) -> str:
    """Name the features that permuted targets select, too.

    Examples
    --------
    >>> facts = ["age"], 0.66, 0.93, "unimodal", ["sex"]
    >>> _doubtful(StableFeatures([], *facts, [None]), {"sex": 0.9})
    ' The feature sex (90%) is not counted as stable. The method often selects it even if the target is permuted. So for this feature, even a selection frequency of 100% would not be enough. It may still be related to the target.'
    """  # noqa: E501
    names = [f"{name} ({100 * frequency[name]:.0f}%)" for name in stable.doubtful]
    needed = [
        "even a selection frequency of 100% would not be enough"
        if own is None
        else f"a selection frequency of {plain_number(100 * own, 3)}% would be needed"
        for own in stable.own_thresholds
    ]
    if len(names) == 1:
        return (
            f" The feature {names[0]} is not counted as stable. The method often selects it even "
            f"if the target is permuted. So for this feature, {needed[0]}. It may still be related "
            "to the target."
        )
    each = [f"for {name}, {what}" for name, what in zip(stable.doubtful, needed, strict=True)]
    return (
        f" The features {listed(names, MANY_NAMES)} are not counted as stable. The method "
        "often selects them even if the target is permuted. So "
        f"{'; '.join(each[:MANY_NAMES])}. They may still be related to the target."
    )


def interaction(facts: Facts) -> str:
    """Name an interaction that the additive model cannot represent."""
    one = facts.interaction
    if one is None:
        return ""
    names = " and ".join(shown(name) for name in one.features)
    return (
        f"{names} interact: a model with their product has a balanced accuracy of "
        f"{one.with_pair:.2f} on held-out rows, the same model without it {one.without_pair:.2f}. "
        "The final model adds up effects and cannot represent this interaction. Consider a "
        "classifier with interactions."
    )


def without_effect(facts: Facts) -> str:
    """Name selected features without an effect in the final model, and why that proves little."""
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
        return f"{what}: on these rows the other features are sufficient."
    return (
        f"{what}. A feature without an effect can be informative: with another C, or a few other "
        f"rows, it can have an effect. C = {facts.C:g} minimizes mainly the loss on "
        "the training rows. For features of few values this optimum is a corner, which leaves out "
        f"effects that are not needed: {100 * facts.on_margin:.0f}% of the decision values are "
        "exactly -1 or 1."
    )


def replacements(facts: Facts) -> str:
    """Name the alternative features."""
    able = [one for one in facts.features if one.alternatives]
    if not able:
        return ""
    pairs = [
        f"{listed(one.alternatives, 3)} instead of {shown(one.feature)}" for one in able[:REPLACED]
    ]
    more = len(able) - REPLACED
    verb = "has" if more == 1 else "have"
    rest = f" {phrases.count(more, 'more feature')} {verb} alternatives." if more > 0 else ""
    return f"Alternative features (no measurable loss of performance): {'; '.join(pairs)}.{rest}"


def lacks(facts: Facts) -> str:
    """Name what a quick signature does not compute."""
    lacking = ", ".join(f"no {LACKING.get(what, what)}" for what in facts.not_computed)
    return f"Quick run: {lacking}." if lacking else ""


def conclusion(facts: Facts) -> str:
    """State in one line what a reader without statistics may conclude."""
    one = facts.performance
    if one is None or facts.verdict == TOO_FEW_ROWS:
        return "these rows are too few to evaluate the signature." if facts.reason else ""
    if facts.verdict == NOT_SHOWN:
        return "these rows do not show that the signature works. Do not rely on it."
    if facts.verdict != ABOVE:
        return "no test shows whether the signature is better than guessing."
    end = "Before use, confirm this on rows from another place or time."
    found = "the signature is better than guessing"
    main = one.main.value
    if facts.kind == "classes":
        each = [
            f"{FREQUENCY * recall.value:.0f} of {FREQUENCY} rows of class {shown(recall.of_class)}"
            for recall in one.recalls
            if recall.estimate is not None
        ]
        return f"{found}. It is expected to recognize about {phrases.join(each)}. {end}"
    if facts.kind == "survival":
        return (
            f"{found}. It is expected to order about {FREQUENCY * main:.0f} of {FREQUENCY} "
            f"comparable pairs of rows correctly; guessing orders {FREQUENCY // 2}. {end}"
        )
    if main <= 0.0:
        return f"{found} in the order of its predictions, but not in their values. {end}"
    return (
        f"{found}. It is expected to explain about {100 * main:.0f}% of the variance of the "
        f"target. {end}"
    )


def sentences(facts: Facts) -> list[str]:
    """List all sentences, the verdict first except for duplicate rows; empty ones are left out."""
    head = (copies, verdict, features, choice, performance, probabilities, estimate, agreement)
    rest = (weighing, stability, replacements, without_effect, interaction, lacks)
    return [said for part in (*head, *rest) if (said := part(facts))]


def measured(one: Measure) -> str:
    """Write a measure of any size with its interval.

    Examples
    --------
    >>> measured(Measure(1234.5, 1100.0, 1400.0, 0.95, key="mae", label="MAE", rows=80))
    '1234 [1100, 1400]'
    """
    return phrases.in_brackets(digits_of(one))


def digits_of(one: Measure) -> list[str]:
    """List the digits of a measure of any size and of its limits, if it has any."""
    return phrases.in_digits(one, plain_number if one.key in UNITS else "{:z.3f}".format)
