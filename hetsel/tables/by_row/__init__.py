"""What stands beside a table, row by row: labels of rows, and groups."""
