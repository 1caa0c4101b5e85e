"""Plan the rows of a study, by criteria alone or with the rows at hand."""
