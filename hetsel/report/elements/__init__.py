"""What sections are made of: sentences, tables as text, figures with captions."""
