"""Models, whatever they are for: graphs built from weights, and a process of its own for heavy libraries.

``process`` is the client of that process, ``worker`` its program, ``messages`` what goes between them;
``encoder_clients`` and ``llama_client`` are clients for one kind of model each. Nothing heavy is imported
with the package.
"""
