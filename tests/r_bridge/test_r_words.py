"""A fix in the words of R: R reads what was meant."""

import numpy as np
import pytest

from hetsel.ground.errors import Fix, TableError
from hetsel.tables import read_target
from r_bridge.from_r.r_words import in_r, told_in_r
from r_bridge.to_r import session

ARGUMENTS = {
    Fix("nominal", ("a", 'so "so"')): 'a|so "so"',
    Fix("continuous", ("ä\\n",)): "ä\\n",
    Fix("missing", "impute"): "impute",
    Fix("separator", "\t"): "\t",
    Fix("header", False): "FALSE",
    Fix("ordinal", ("b c",), levels=("lo", "hi")): "b c: lo|hi",
}
READ = """
function(text) {
  value <- eval(parse(text = paste0("list(", text, ")"), encoding = "UTF-8"))[[1]]
  if (is.list(value)) {
    return(paste0(names(value), ": ", paste(value[[1]], collapse = "|")))
  }
  paste(value, collapse = "|")
}
"""


@pytest.mark.parametrize(("fix", "wanted"), ARGUMENTS.items(), ids=str)
def test_r_reads_what_its_wording_says(fix, wanted):
    option, _, _ = in_r(fix).partition(" = ")
    assert option == fix.option
    assert str(session.call(READ, in_r(fix))[0]) == wanted


def test_a_fix_that_is_a_call_or_a_number_is_written_as_one():
    assert in_r(Fix("unseen", "separate")).startswith('unseen = "separate" in the fit')
    assert in_r(Fix("jobs", 0)) == "jobs = 0"
    assert in_r(Fix("run")) == "hetsel_study()"
    assert in_r(Fix("run", "retry")) == "hetsel_study(retry = TRUE)"


def test_arguments_have_their_names_in_r():
    told = told_in_r(ValueError("sample_weight must be numbers, not 'sample_weight'."))
    assert told["message"] == "row_weights must be numbers, not 'sample_weight'."
    assert told["argument"] == "row_weights"
    assert told_in_r(ValueError("n_jobs must be a whole number"))["argument"] == "jobs"
    assert told_in_r(ValueError("random_state must be"))["message"] == "seed must be"


def test_values_in_errors_are_written_as_r_writes_them():
    def in_words_of_r(sentence):
        return told_in_r(ValueError(sentence))["message"]

    assert in_words_of_r("C must be positive. Got -1.0") == "C must be positive. Got -1"
    assert in_words_of_r("time must be 0 or larger. Got '-1.0' in 1 row").endswith("'-1' in 1 row")
    assert in_words_of_r("thresholds must be. Got [0.5, 2.0]").endswith("Got c(0.5, 2)")
    assert in_words_of_r("weights must be. Got {'a': True}, 1").endswith('Got c("a" = TRUE), 1')
    assert in_words_of_r("sizes must be. Got [[1], None]").endswith("Got list(1, NULL)")
    assert in_words_of_r("thresholds must be. Got [0.0]").endswith("Got 0")
    assert in_words_of_r("an infinity (inf), or by NaN") == "an infinity (Inf), or by NA"
    with pytest.raises(TableError) as refused:
        read_target(np.array(["a", "b"]), 2, "survival")
    told = told_in_r(refused.value)
    assert told["message"] == "y must be survival::Surv(time, event). Got a vector"
    assert told["argument"] == "y"
    assert in_words_of_r("Unknown label type: 37 numbers") == "37 numbers"
    assert in_words_of_r("Got 1 row (n_samples = 1)") == "Got 1 row"
