"""Corpus to graph: links resolved, statuses decided, lineages numbered."""
