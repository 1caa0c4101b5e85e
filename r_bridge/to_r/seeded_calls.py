"""A function of R with R's generator set beforehand, and put back as it was afterwards."""

from r_bridge.r_vectors import RVector, as_vector
from r_bridge.to_r import session

# The empty draw makes R read the state again: reticulate writes back what R has read last.
# A second Ctrl-C must not tear that.
_SEEDED = """
function(source, seed, arguments) {
  generator <- RNGkind()
  state <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(suspendInterrupts({
    do.call(RNGkind, as.list(generator))
    if (is.null(state)) {
      set.seed(NULL)
    } else {
      assign(".Random.seed", state, envir = globalenv())
      sample.int(2L, 0L)
    }
  }))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  f <- eval(parse(text = source, keep.source = FALSE), new.env(parent = baseenv()))
  do.call(f, arguments, quote = TRUE)
}
"""


def call_seeded(function: str, seed: int, *arguments: object) -> RVector:
    """:func:`r_bridge.to_r.session.call` after ``set.seed(seed)``, with R's default generators.

    The generator of the session and its state are what they were before, however it ends.

    Examples
    --------
    >>> draws = [call_seeded("function() sample.int(100L, 3L)", 7).values for _ in range(2)]
    >>> (draws[0] == draws[1]).all()
    np.True_
    """
    packed = RVector("list", [as_vector(value) for value in arguments])
    return session.call(_SEEDED, function, seed, packed)
