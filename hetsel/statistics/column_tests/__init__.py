"""Test single columns."""
