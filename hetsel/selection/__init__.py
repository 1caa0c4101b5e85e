"""The contract: a problem, an answer, and the selector that turns one into the other."""
