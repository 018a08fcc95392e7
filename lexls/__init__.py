"""lexls: a language server for people who draft with legal citations."""

import os

__version__ = "0.1.0"

# Heard where the library is loaded, in this process and in those that it starts: ONNX Runtime would tell its
# makers of each model that is opened.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
