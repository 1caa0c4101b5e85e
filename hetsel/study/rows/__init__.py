"""Which rows of a data set train and which are tested."""
