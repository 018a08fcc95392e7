"""The language server. No other package deals with the protocol."""
