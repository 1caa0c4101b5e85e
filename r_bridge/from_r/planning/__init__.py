"""Before a study, for R."""
