"""The pages of reports: words, tables and where they stand."""
