"""Test tables of counts of any size with Fisher's exact test, exactly if feasible."""

from hetsel.statistics.fisher.exact import FisherResult, fisher_exact

__all__ = ["FisherResult", "fisher_exact"]
