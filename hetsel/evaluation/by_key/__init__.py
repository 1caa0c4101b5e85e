"""Methods, judges and the code of others, each known by its key."""
