"""Errors of hetsel."""


class TableError(ValueError):
    """A table, a target or an option that cannot be used; the message says what to do."""
