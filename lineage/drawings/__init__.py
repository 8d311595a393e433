"""Drawings of diagrams, one file a format."""
