"""Tables whose cells are fetched in blocks of columns: no array of all of them is held."""
