"""The language server: the only code that knows the protocol."""
