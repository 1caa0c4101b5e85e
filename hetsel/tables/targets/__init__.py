"""Kinds of targets: classes, numbers, survival times."""
