"""Run models: build graphs from weights, and run heavy libraries in a separate model process.

``process`` is the client of that process, ``worker`` its program and ``messages`` their protocol.
``encoder_clients`` and ``llama_client`` are clients for one kind of model each. Importing the package loads
nothing heavy.
"""
