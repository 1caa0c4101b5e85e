"""The methods section of a paper on a signature: paragraphs with what each cites."""

from collections.abc import Iterator

from hetsel.ground import counted, plain_number, shown
from hetsel.methods.registry import get_method, method_keys
from hetsel.signature.probabilities.probability_facts import Movement
from hetsel.words import cited_papers, signature_sentences
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
    "impute": "filled with the median of the training rows, of a nominal column with its most "
    "frequent level",
    "separate": "kept as a value of their own",
    "error": "not accepted",
}
SCALES = {
    "range": "as they are, a difference being measured by the range of the training rows",
    "quantile": "as quantiles of the training rows",
    "robust": "on the scale between the 5 % and 95 % quantiles of the training rows, clipped there",
}


def methods_paragraphs(facts: Facts) -> list[tuple[str, list[CitingSentence]]]:
    """The paragraphs under their headings; those that say nothing are left out."""
    parts = {
        "Data": _data,
        "Selection and model": _selection,
        "Performance": _performance,
        "Probabilities": _probabilities,
        "Test against chance": _chance,
        "Stability": _stability,
        "Software and reporting": _software,
    }
    told = {heading: list(part(facts)) for heading, part in parts.items()}
    return [(heading, said) for heading, said in told.items() if said]


def write_paragraph(said: list[CitingSentence]) -> str:
    """A paragraph, its sentences with what they cite before their ends."""
    return " ".join(
        f"{text} {cited_papers.cited(*keys)}.".replace(" .", ".") for text, keys in said
    )


def method_named(facts: Facts) -> CitingSentence:
    """The method in words, and its papers."""
    key = facts.method
    if key not in method_keys():
        return shown(key), ()
    about = get_method(key).about
    return f"{about.title} ({key})", cited_papers.papers_named(about.paper)


def missing_told(facts: Facts) -> str:
    """How many cells are missing.

    Examples
    --------
    >>> from types import SimpleNamespace as Part
    >>> missing_told(Part(rows=10, columns=2, candidates=Part(missing=[0, 3])))
    '3 of 20 cells (15.0 %), in 1 of 2 columns, were missing'
    """
    counts = facts.candidates.missing
    gaps, cells = sum(counts), facts.rows * facts.columns
    if not gaps:
        return "No cell of the candidate features was missing"
    columns = sum(count > 0 for count in counts)
    return (
        f"{gaps:,} of {cells:,} cells ({100 * gaps / cells:.1f} %), in {columns:,} of "
        f"{facts.columns:,} columns, were missing"
    )


def _data(facts: Facts) -> Iterator[CitingSentence]:
    known = facts.candidates
    kinds = known.kinds
    categorical = sum(kind != "continuous" for kind in kinds)
    which = f", {categorical:,} of them categorical" if categorical else ""
    yield (
        f"The analysis includes {facts.rows:,} rows ({_target(facts)}) and "
        f"{facts.columns:,} candidate features{which}; a categorical column is one feature, "
        "not one for each level",
        (),
    )
    treated = f"; missing cells were {MISSING[facts.missing]}" if any(known.missing) else ""
    yield missing_told(facts) + treated, ()
    if "continuous" in kinds:
        yield f"Continuous features entered {SCALES[facts.scale]}", ()
    if facts.copies:
        one = facts.copies
        yield (
            f"{one.rows:,} rows equal or nearly equal to others were grouped "
            f"({counted(one.groups, 'group')}) and held out together",
            (),
        )
    elif facts.groups is not None:
        yield f"Rows of one group ({facts.groups:,} groups) were held out together", ()
    if facts.effective_rows is not None:
        yield (
            "Rows had weights, which multiply their cost in selection and model and their part in "
            "every rate; intervals count the effective number of rows",
            ("kish1965",),
        )


def _target(facts: Facts) -> str:
    if facts.kind == "classes":
        return ", ".join(f"{rows:,} of class {label}" for label, rows in classes_of(facts))
    one = facts.told
    if facts.kind == "survival":
        return f"{one['events']:,} with the event; times up to {plain_number(one['longest'])}"
    return f"target from {plain_number(one['least'])} to {plain_number(one['largest'])}"


def _selection(facts: Facts) -> Iterator[CitingSentence]:
    words, keys = method_named(facts)
    yield f"Features were selected by {words} on all rows", keys
    rule = facts.rule
    if rule:
        yield (
            "The number of features was chosen by cross-validation: "
            f"{signature_sentences.RULES[rule]}",
            (RULE_PAPERS[rule],),
        )
    else:
        yield f"The number of features, {facts.size}, was given", ()
    if facts.always:
        names = ", ".join(shown(name) for name in facts.always)
        yield f"Always in, as asked: {names}", ()
    yield (
        f"The final model is a {facts.model}, additive in the features",
        MODEL_PAPERS[facts.kind],
    )


def _performance(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.performance
    if one is None:
        return
    yield (
        f"Performance was estimated by {counted(one.runs, 'nested cross-validation')} of "
        f"{one.folds} folds: without the rows of a fold everything was done anew, what fills "
        "missing cells, selection, choice of the size and model",
        ("varma2006",),
    )
    if one.learning is not None:
        yield (
            f"What models of all rows gain over those of the folds ({one.learning:+z.3f}) was "
            "estimated by models that leave out two folds, and counts with its uncertainty",
            ("bates2024",),
        )
    of_area = ("delong1988",) if one.kind == "classes" and one["auc"].rate is not None else ()
    yield f"Intervals: {words_of(facts).intervals}", (*INTERVAL_PAPERS[facts.kind], *of_area)
    if facts.kind == "survival":
        yield (
            "Effects are shown as log relative risks by the slope of Cox's model of the held-out "
            "risks",
            ("cox1972",),
        )


def _probabilities(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.probabilities
    if not one:
        return
    yield (
        f"Decision values were turned into probabilities by a {one.map} map, learned from rows "
        "that were held out; in the nested cross-validation map and kind of map had not seen the "
        "rows that they were judged by",
        (MAP_PAPERS[one.map],) if one.map else (),
    )
    if one.prevalence is not None:
        each = zip(facts.classes, one.prevalence, strict=True)
        told = ", ".join(
            f"{plain_number(share, 4)} of class {shown(str(label))}" for label, share in each
        )
        yield f"Probabilities are those at a prevalence of {told}", ("saerens2002",)
    yield (
        "They were judged by the Brier score, calibration intercept and slope, this by Firth's "
        "regression, and a smooth calibration curve",
        ("brier1950", "cox1958", "firth1993", "austin2019"),
    )
    yield "Decisions by them were judged by net benefit", ("vickers2006",)
    if isinstance(one.movement, Movement):
        yield (
            "How much the probabilities of a row move is that of models of random halves of the "
            "rows",
            ("riley2023",),
        )


def _chance(facts: Facts) -> Iterator[CitingSentence]:
    test, words = facts.chance, words_of(facts)
    if test is None:
        return
    yield (
        f"Whether the signature predicts better than chance was tested by "
        f"{len(test.permuted)} permutations of the {words.permuted}, each with selection and "
        f"model anew in {test.folds} folds, by the {words.tested} of held-out rows at the size "
        f"where it is largest, the mean of {counted(test.draws, 'draw')} of folds, drawn by the "
        "content of the table, so that no seed changes p",
        (),
    )
    yield (
        "A permutation had as many folds as it took to tell, by two standard errors, on which side "
        f"of the {words.permuted} as they are it lies",
        (),
    )
    tried = test.tried
    times = f", times {tried} for the methods among which it was chosen" if tried > 1 else ""
    if test.full:
        yield (
            f"p = (1 + as large) / (1 + all){times} = {test.pvalue:.2g} (standard error "
            f"{test.error:.2g})",
            ("phipson2010",),
        )
        return
    ended = "the verdict was settled" if test.settled else "no more were to be drawn"
    yield (
        f"Drawing ended when {ended}: p = {test.pvalue:.2g}, the probability under permutation "
        f"of an end with so small a share of permutations as large, or a smaller one{times}",
        ("besag1991",),
    )


def _stability(facts: Facts) -> Iterator[CitingSentence]:
    one = facts.stability
    if one is not None:
        yield (
            f"Stability is the agreement of the signatures of two halves of the rows, the mean of "
            f"{one.halves // 2} random divisions",
            ("nogueira2018",),
        )
    if facts.stable is not None:
        yield (
            "The number of false selections among features that are selected often was bounded; "
            "features that halves with a permuted target select more often than others have a "
            "higher threshold",
            ("shah2013",),
        )


def _software(facts: Facts) -> Iterator[CitingSentence]:
    yield f"hetsel {facts.version} was used ({seed_said(facts)})", ()
    yield "Reporting follows TRIPOD+AI", ("collins2024",)


def seed_said(facts: Facts) -> str:
    """The seed that gives the same answer again."""
    return "no seed was set" if facts.seed is None else f"seed {facts.seed}"


def keys_of(told: list[tuple[str, list[CitingSentence]]]) -> list[str]:
    """Keys of all papers that paragraphs cite, each once."""
    return list(dict.fromkeys(key for _, said in told for _, keys in said for key in keys))
