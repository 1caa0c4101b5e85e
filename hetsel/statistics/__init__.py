"""Tests, ranks, stability and scores on plain arrays and frames."""
