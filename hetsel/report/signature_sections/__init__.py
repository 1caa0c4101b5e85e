"""The page of a signature, one file a section; their order is in `pages/signature_document`."""
