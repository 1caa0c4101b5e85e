"""Everything of hetsel that knows R."""

from r_bridge.exposed import expose

__all__ = ["expose"]
