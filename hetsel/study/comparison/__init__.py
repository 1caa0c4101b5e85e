"""Methods of a study compared: means, intervals, ranks, tests and the sizes that they choose."""
