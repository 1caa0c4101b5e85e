"""Studies that compare methods over data sets and resamplings; a run can be resumed."""
