"""Embed texts with all-MiniLM-L6-v2 in onnxruntime.

Each text is run separately, without padding, on ``threads`` Python threads that share one session. The
session computes on the calling thread. For passages of about 240 word pieces this took 57 ms (fp32) and 27 ms
(int8) of processor time per passage. With two threads inside the session it took 63 and 28 ms (101 and 54 if
they spin). Batches of 4 or 16 were no faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lexls.models.messages import NO_PROMPTS, Prompts
from lexls.models.onnx_session import choose_batch, open_session, run_longest_first

MAX_WORD_PIECES = 256
# More text than this is never embedded; the limit only bounds the time to tokenise a huge text.
_MAX_CHARACTERS = 32_768


class MiniLMEmbedder:
    """An ``Embedder`` over a graph made by ``graph.build_graph`` and the model's ``tokenizer.json``.

    ``model`` names the model and its precision. ``threads`` is how many texts are run at a time (None: one
    for each processor this process may use, at most 4). ``prompts`` are the user's own; the model was trained
    without any. Raises the error of onnxruntime or tokenizers if a file is damaged.
    """

    def __init__(
        self,
        graph: Path,
        tokenizer: Path,
        model: str,
        threads: int | None = None,
        prompts: Prompts = NO_PROMPTS,
    ) -> None:
        self.name = prompts.identify(model)
        self.prompts = prompts
        self._threads = threads or choose_batch()
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_WORD_PIECES)
        self._session = open_session(graph)
        self.dimension = int(self._session.get_outputs()[0].shape[1])
        """Length of a vector: 384."""

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """Return one unit vector per text, in order. ``prompt`` is prepended to each text, and only the first
        256 word pieces of both together are read.

        A vector does not depend on the other texts of the call.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        pieces = [
            np.array([encoding.ids], dtype=np.int32)
            for encoding in self._tokenizer.encode_batch([prompt + text[:_MAX_CHARACTERS] for text in texts])
        ]

        def run(row: int) -> None:
            vectors[row] = self._session.run(["embedding"], {"input_ids": pieces[row]})[0][0]

        run_longest_first(run, [each.size for each in pieces], self._threads)
        return vectors
