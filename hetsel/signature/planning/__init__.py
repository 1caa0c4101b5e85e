"""Before the study: how many rows, by criteria alone or by the rows that are at hand."""
