"""The numbers of a report."""
