"""What misleads in the columns and the rows of a table."""
