"""Score predictions, with intervals."""
