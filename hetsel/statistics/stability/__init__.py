"""How stable selected subsets are, and what stability bounds."""
