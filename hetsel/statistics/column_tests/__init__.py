"""Tests of one column each."""
