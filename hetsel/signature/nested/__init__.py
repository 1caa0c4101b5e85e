"""What a signature is worth, by nested cross-validation and against chance."""
