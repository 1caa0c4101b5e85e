"""The page of a signature, one file per section; `pages/signature_page` has their order."""
