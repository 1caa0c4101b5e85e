"""The methods section of a paper on a signature: paragraphs with their citations."""

import re
from collections.abc import Iterator

from hetsel.ground import listed, plain_number, shown
from hetsel.methods.registry import get_method, method_keys
from hetsel.signature.nested.against_chance import EQUAL, LEVEL
from hetsel.signature.probabilities.probability_facts import PredictionInstability
from hetsel.signature.signature_facts import PermutationTest, StableFeatures
from hetsel.words import cited_papers, phrases, signature_sentences
from hetsel.words.target_words import Facts, classes_of, words_of

CitingSentence = tuple[str, tuple[str, ...]]  # a sentence, and the papers that it cites
RULE_PAPERS = {
    "one-se": "breiman1984",
    "quarter-se": "breiman1984",
    "knee": "satopaa2011",
    "equal": "somol2011",
}
MODEL_PAPERS = {
    "classes": ("cortes1995", "daemen2009"),
    "numbers": ("smola2004", "daemen2009"),
    "survival": ("vanbelle2011", "daemen2009"),
}
INTERVAL_PAPERS = {
    "classes": ("wilson1927", "zou2008"),
    "numbers": ("miller1974", "kendall1938"),
    "survival": ("miller1974", "harrell1982"),
}
MAP_PAPERS = {"logistic": "platt1999", "beta": "kull2017", "isotonic": "zadrozny2002"}
MISSING = {
    "impute": "imputed by the median of the training rows (nominal features: by the most frequent "
    "level)",
    "separate": "kept as a separate value",
    "error": "not allowed",
}
SCALES = {
    "range": "not transformed beforehand; the clinical kernel compares two rows by the difference "
    "of their values in a feature, divided by the range of this feature in the training rows",
    "quantile": "transformed to quantiles of the training rows",
    "robust": "scaled by the 5% and 95% quantiles of the training rows and clipped there",
}
PARTS = {  # of the name of a final model
    "clinical kernel": "the clinical kernel",
    "classes weighted equally": "equally weighted classes",
}


def methods_paragraphs(facts: Facts) -> list[tuple[str, list[CitingSentence]]]:
    """List the paragraphs with their headings; empty ones are left out."""
    parts = {
        "Data": _data,
        "Selection and model": _selection,
        "Performance": _performance,
        "Probabilities": _probabilities,
        "Permutation test": _chance,
        "Stability": _stability,
        "Software and reporting": _software,
    }
    written = {heading: list(part(facts)) for heading, part in parts.items()}
    return [(heading, sentences) for heading, sentences in written.items() if sentences]


def write_paragraph(sentences: list[CitingSentence]) -> str:
    """Join the sentences of a paragraph, each with its citations before the full stop."""
    each = (f"{text} {cited_papers.cited(*keys)}.".replace(" .", ".") for text, keys in sentences)
    return " ".join(re.sub(r"\((\S+)\) \(", r"(\1; ", sentence) for sentence in each)


def method_named(facts: Facts) -> CitingSentence:
    """Return the title of the method, and its papers."""
    key = facts.method
    if key not in method_keys():
        return shown(key), ()
    about = get_method(key).about
    return f"{about.title} ({key})", cited_papers.papers_named(about.paper)


def method_in_words(title: str) -> str:
    """Join the clinical kernel to the title of a method.

    Examples
    --------
    >>> method_in_words("recursive elimination with multiple kernel learning, clinical kernel")
    'recursive elimination with multiple kernel learning and the clinical kernel'
    """
    joint = " and" if " elimination with " in title else ", with"
    return title.replace(", clinical kernel", f"{joint} the clinical kernel")


def model_in_words(words: str) -> str:
    """Join the parts of a final model.

    Examples
    --------
    >>> model_in_words("support vector machine, clinical kernel, C = 10, classes weighted equally")
    'support vector machine with the clinical kernel, C = 10 and equally weighted classes'
    """
    first, *parts = words.split(", ")
    joined = phrases.join(PARTS.get(part, part) for part in parts)
    return f"{first} with {joined}" if parts else first


def missing_values(facts: Facts) -> str:
    """Count the missing values.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> missing_values(Part(rows=10, columns=2, candidates=Part(missing=[0, 3])))
    '3 of 20 values (15.0%), in 1 of 2 features, were missing'
    """
    counts = facts.candidates.missing
    gaps, cells = sum(counts), facts.rows * facts.columns
    if not gaps:
        return "The candidate features had no missing values"
    columns = sum(count > 0 for count in counts)
    return (
        f"{gaps:,} of {cells:,} values ({100 * gaps / cells:.1f}%), in {columns:,} of "
        f"{facts.columns:,} features, were missing"
    )


def a_map(kind: object) -> str:
    """Name a calibration map with its article."""
    return f"{'an' if kind == 'isotonic' else 'a'} {kind} calibration map"


def _data(facts: Facts) -> Iterator[CitingSentence]:
    known = facts.candidates
    kinds = known.kinds
    categorical = sum(kind != "continuous" for kind in kinds)
    which = f", {categorical:,} of them categorical" if categorical else ""
    yield (
        f"The analysis included {facts.rows:,} rows ({_target(facts)}) and "
        f"{phrases.count(facts.columns, 'candidate feature')}{which}",
        (),
    )
    if categorical:
        yield "A categorical feature was selected or left out as a whole, with all its levels", ()
    yield missing_values(facts), ()
    if any(known.missing):
        yield f"Missing values were {MISSING[facts.missing]}", ()
    if "continuous" in kinds:
        yield f"Continuous features were {SCALES[facts.scale]}", ()
    if facts.duplicate_rows:
        one = facts.duplicate_rows
        yield (
            f"Duplicate rows ({one.rows:,} rows equal or nearly equal to other rows) formed "
            f"{phrases.count(one.groups, 'row group')}. Each group was held out as a whole",
            (),
        )
    elif facts.groups is not None:
        yield f"The rows formed {facts.groups:,} row groups. Each was held out as a whole", ()
    if facts.effective_sample_size is not None:
        yield (
            "Rows were weighted in selection, model and performance measures. Confidence intervals "
            "used the effective sample size",
            ("kish1965",),
        )


def _target(facts: Facts) -> str:
    if facts.kind == "classes":
        return ", ".join(f"{rows:,} of class {label}" for label, rows in classes_of(facts))
    one = facts.target_facts
    if facts.kind == "survival":
        return (
            f"{phrases.count(one['events'], 'event')}; times up to {plain_number(one['longest'])}"
        )
    return f"target between {plain_number(one['least'])} and {plain_number(one['largest'])}"


def _selection(facts: Facts) -> Iterator[CitingSentence]:
    title, keys = method_named(facts)
    yield f"Features were selected on all rows by {method_in_words(title)}", keys
    if facts.rule:
        yield (
            f"The number of features was chosen by this rule: {signature_sentences.rule(facts)}",
            (RULE_PAPERS[facts.rule],),
        )
    else:
        yield f"The number of features, {facts.size}, was specified in advance", ()
    if facts.always:
        names = ", ".join(shown(name) for name in facts.always)
        yield f"The signature always included {names}, as specified", ()
    yield (
        f"The final model was a {model_in_words(facts.model)}. It is additive in the features",
        MODEL_PAPERS[facts.kind],
    )


def _performance(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.performance
    if one is None:
        return
    yield (
        f"Performance was estimated by nested cross-validation with {one.folds} folds"
        + (f", repeated {one.runs} times" if one.runs > 1 else "")
        + ". Imputation, selection, the choice of the number of features and the training of the "
        "model were repeated for each fold, on the rows outside of the fold",
        ("varma2006",),
    )
    if one.training_gain is not None:
        yield (
            f"The gain from training on all rows ({one.training_gain:+z.3f}) was extrapolated "
            "from the difference in performance between models trained without one fold and "
            "models trained without two folds. The estimate of performance includes this gain, "
            "and the confidence interval includes its uncertainty",
            ("bates2024",),
        )
    of_area = ("delong1988",) if one.kind == "classes" and one["auc"].estimate is not None else ()
    method, _, rows = words_of(facts).intervals.partition(". ")
    yield f"Method of the confidence intervals: {method}", (*INTERVAL_PAPERS[facts.kind], *of_area)
    if rows:
        yield rows, ()
    if facts.kind == "survival":
        yield (
            "Effects were converted to log relative risks by the slope of a Cox model on the "
            "held-out risk scores",
            ("cox1972",),
        )


def _probabilities(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.probabilities
    if not one:
        return
    yield (
        f"Decision values were converted to probabilities by {a_map(one.map)}, fitted by "
        "cross-validation. In the nested cross-validation, the rows that evaluated the map took "
        "no part in fitting or choosing it",
        (MAP_PAPERS[one.map],) if one.map else (),
    )
    if one.prevalence is not None:
        each = zip(facts.classes, one.prevalence, strict=True)
        values = ", ".join(
            f"{plain_number(share, 4)} of class {shown(str(label))}" for label, share in each
        )
        yield f"The probabilities refer to a prevalence of {values}", ("saerens2002",)
    yield (
        "The probabilities were evaluated by the Brier score, the calibration intercept and slope "
        "(Firth's regression for the slope), and a smooth calibration curve",
        ("brier1950", "cox1958", "firth1993", "austin2019"),
    )
    yield "Decisions at a threshold were evaluated by net benefit", ("vickers2006",)
    if isinstance(one.prediction_instability, PredictionInstability):
        yield (
            "Prediction instability was assessed with models of random half-samples",
            ("riley2023",),
        )


def _chance(facts: Facts) -> Iterator[CitingSentence]:
    test, words = facts.permutation_test, words_of(facts)
    if test is None:
        return
    yield (
        f"A permutation test with {len(test.permuted)} permutations of the {words.permuted} "
        "examined whether the signature predicts better than chance",
        (),
    )
    yield (
        f"For each permutation, selection and training were repeated in {runs_of(test)}. This gave "
        f"a mean {words.tested} of held-out rows for each number of features. The test statistic "
        "was the largest of these means",
        (),
    )
    yield (
        "The permutations are determined by the table alone, not by the seed: the same table "
        "always gives the same p-value",
        (),
    )
    yield (
        "To save time, the cross-validation of a permutation ended early if its statistic "
        f"clearly differed from that of the original {words.permuted}, by more than two standard "
        "errors of the difference",
        (),
    )
    tried = test.tried
    times = f", multiplied by {tried} for the choice among {tried} methods" if tried > 1 else ""
    if test.full:
        yield (
            "The p-value was (1 + number of permutations with a statistic as large) / (1 + "
            f"number of permutations){times}: p = {test.pvalue:.2g} (standard error "
            f"{test.standard_error:.2g})",
            ("phipson2010",),
        )
        return
    reached = sum(value >= test.statistic - EQUAL for value in test.permuted)
    ended = (
        f"After {len(test.permuted)} permutations, a change was unlikely, so the test stopped"
        if test.settled
        else f"The test reached the maximum number, {len(test.permuted)} permutations"
    )
    if reached:
        said = (
            f"In {reached} of {len(test.permuted)} permutations, the statistic was at least as "
            f"large as with the original {words.permuted}. Under the null hypothesis, the "
            "probability that the test stops with this proportion or a smaller one is"
        )
    else:
        said = (
            f"In none of {len(test.permuted)} permutations was the statistic as large as with the "
            f"original {words.permuted}. Under the null hypothesis, the probability of this is"
        )
    yield (
        "The test had planned checks, each after a number of permutations that was set in advance. "
        "Each check estimated how likely further permutations were to change the decision "
        f"(better than chance if p is at most {LEVEL}, one-sided). {ended}. {said} p = "
        f"{test.pvalue:.2g}{times}",
        ("besag1991",),
    )


def _stability(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.stability
    if one is not None:
        yield (
            "Stability was the agreement of the signatures of two half-samples, averaged over "
            f"{one.half_samples // 2} random splits of the rows",
            ("nogueira2018",),
        )
    if facts.stable is not None:
        yield (
            "Features were counted as stable if their selection frequency reached a threshold. "
            "The threshold limits the expected number of falsely selected features to at most "
            f"{facts.stable.expected_false_selections:.2g}",
            ("shah2013",),
        )
        yield (
            "Features that were often selected even if the target was permuted needed a higher "
            f"selection frequency{_not_reached(facts.stable)}",
            (),
        )


def runs_of(test: PermutationTest) -> str:
    """Describe the cross-validation of a permuted table.

    Examples
    --------
    >>> test = PermutationTest(0.01, 0.9, [0.5], 5, 4, None, False, True, 1)
    >>> runs_of(test)
    '4 runs of 5-fold cross-validation, each run with different folds'
    """
    once = f"{test.folds}-fold cross-validation"
    return (
        once if test.draws == 1 else f"{test.draws} runs of {once}, each run with different folds"
    )


def _not_reached(stable: StableFeatures) -> str:
    """Name the features that did not reach their own threshold."""
    said = ""
    for cannot, what in ((False, "it was not reached"), (True, "even 100% was not enough")):
        each = zip(stable.doubtful, stable.own_thresholds, strict=True)
        if names := [shown(name) for name, own in each if (own is None) is cannot]:
            said += f"; for {listed(names, 12)}, {what}"
    return said


def _software(facts: Facts) -> Iterator[CitingSentence]:
    yield f"The analysis used hetsel {facts.version} ({seed_used(facts)})", ()
    yield "Reporting followed TRIPOD+AI", ("collins2024",)


def seed_used(facts: Facts) -> str:
    """Name the seed that reproduces the answer."""
    return "no seed was set" if facts.seed is None else f"seed {facts.seed}"


def keys_of(paragraphs: list[tuple[str, list[CitingSentence]]]) -> list[str]:
    """List the keys of all cited papers, each once."""
    return list(dict.fromkeys(key for _, part in paragraphs for _, keys in part for key in keys))
