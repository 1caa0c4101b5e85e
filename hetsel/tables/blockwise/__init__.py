"""Tables whose values are fetched in blocks of columns, without an array of all values."""
