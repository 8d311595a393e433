"""The outputs of a report, one module each."""
