"""Fisher's exact test of a table of counts of any size, exact where that is in reach."""

from hetsel.statistics.fisher.exact import FisherResult, fisher_exact

__all__ = ["FisherResult", "fisher_exact"]
