"""Ways to show what changed between two exports, one module each."""
