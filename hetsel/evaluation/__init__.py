"""The held-out loop: rows and their roles, methods and judges by key, engines."""
