"""What a saved signature is worth on labeled rows that it has not seen."""
