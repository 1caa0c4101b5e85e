"""What is asked, said once: each option with its type, default, unit and what it does."""
