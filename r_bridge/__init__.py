"""The interface between hetsel and R."""

from r_bridge.exposed import expose

__all__ = ["expose"]
