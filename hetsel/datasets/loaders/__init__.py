"""One file for each data set of the papers."""
