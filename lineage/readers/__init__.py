"""The formats that can be read, one module each."""
