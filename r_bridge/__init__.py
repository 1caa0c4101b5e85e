"""Everything of hetsel that knows R."""
