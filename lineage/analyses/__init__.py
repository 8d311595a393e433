"""Pure functions on the graph."""
