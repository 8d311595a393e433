"""The report model and how it is made of a graph."""
