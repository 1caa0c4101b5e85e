"""The formats of documents, one file per format."""
