"""Points that add up to the decision of a signature's model, and what rounding to them costs."""
