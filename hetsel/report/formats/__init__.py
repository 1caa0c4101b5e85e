"""The blocks of a document in each format, one file a format."""
