"""Where the cells of a study are computed."""
