"""lexls: a language server for people who draft with legal citations."""

__version__ = "0.1.0"
