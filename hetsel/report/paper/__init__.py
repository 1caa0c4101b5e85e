"""What a methods section and a reporting checklist say of a signature."""
