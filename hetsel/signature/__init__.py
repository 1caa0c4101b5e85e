"""One honest signature: how many features, how good, how sure."""
