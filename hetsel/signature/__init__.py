"""Select a signature: how many features, which, how well it predicts, and how certain that is."""
