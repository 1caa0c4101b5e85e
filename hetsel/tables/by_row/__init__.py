"""What stands beside a table, row by row: matched by labels, and groups."""
