"""The blocks of a document in other formats than a web page, one file a format."""
