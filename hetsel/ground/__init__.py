"""What everything stands on: errors, sentences, whole files, signals, equality of numbers."""
