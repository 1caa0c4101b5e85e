"""Files: tables in, whole files out."""
