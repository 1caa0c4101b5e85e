"""What a signature says: its facts as plain values, and the sentences made of them."""
