"""Readers' items to tables; duplicates settled."""
