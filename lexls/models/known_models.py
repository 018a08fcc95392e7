"""Models that are known to answer under instructions and fit a laptop: where they are, and what they need.

Sizes and digests are those the Hugging Face hub gives for the files, as independent projects that pin the
same files repeat them; a file that has since become another is refused. lexls has compared none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

_HUB = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file on the Hugging Face hub.

    ``bytes`` is its size, ``sha256`` its digest, ``context_tokens`` what it was trained to keep in view.
    ``cache_bytes`` is what one token of context takes: 2 (keys, values) x layers x heads of them x their
    width x 2 bytes. ``about`` is a line for the user.
    """

    name: str
    repository: str
    file: str
    bytes: int
    sha256: str
    licence: str
    context_tokens: int
    cache_bytes: int
    about: str

    @property
    def url(self) -> str:
        """Where the file is fetched."""
        return f"{_HUB}/{self.repository}/resolve/main/{self.file}"

    def memory_gigabytes(self, context_tokens: int = 8192) -> float:
        """What it takes in memory, about: the file, the context, and 0.4 GB for the rest."""
        return round((self.bytes + self.cache_bytes * context_tokens) / 1e9 + 0.4, 1)


KNOWN_MODELS = (
    KnownModel(
        name="qwen3-4b-instruct",
        repository="unsloth/Qwen3-4B-Instruct-2507-GGUF",
        file="Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
        bytes=2_497_281_120,
        sha256="3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597",
        licence="Apache-2.0",
        context_tokens=262_144,
        cache_bytes=2 * 36 * 8 * 128 * 2,
        about="Qwen3 4B Instruct 2507: 4 billion parameters in 4 bits; writes no thoughts before its answer",
    ),
    KnownModel(
        name="phi-4-mini-instruct",
        repository="unsloth/Phi-4-mini-instruct-GGUF",
        file="Phi-4-mini-instruct-Q4_K_M.gguf",
        bytes=2_491_874_272,
        sha256="88c00229914083cd112853aab84ed51b87bdf6b9ce42f532d8c85c7c63b1730a",
        licence="MIT",
        context_tokens=131_072,
        cache_bytes=2 * 32 * 8 * 128 * 2,
        about="Phi-4 mini: 3.8 billion parameters in 4 bits",
    ),
    KnownModel(
        name="gemma-3-4b-it",
        repository="ggml-org/gemma-3-4b-it-GGUF",
        file="gemma-3-4b-it-Q4_K_M.gguf",
        bytes=2_489_757_856,
        sha256="882e8d2db44dc554fb0ea5077cb7e4bc49e7342a1f0da57901c0802ea21a0863",
        licence="Gemma Terms of Use",
        context_tokens=131_072,
        cache_bytes=2 * 34 * 4 * 256 * 2,
        about="Gemma 3 4B: 4 billion parameters in 4 bits; many languages",
    ),
    KnownModel(
        name="llama-3.2-3b-instruct",
        repository="bartowski/Llama-3.2-3B-Instruct-GGUF",
        file="Llama-3.2-3B-Instruct-Q4_K_M.gguf",
        bytes=2_019_377_696,
        sha256="6c1a2b41161032677be168d354123594c0e6e67d2b9227c84f296ad037c728ff",
        licence="Llama 3.2 Community License",
        context_tokens=131_072,
        cache_bytes=2 * 28 * 8 * 128 * 2,
        about="Llama 3.2 3B: 3.2 billion parameters in 4 bits",
    ),
    KnownModel(
        name="qwen2.5-1.5b-instruct",
        repository="Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        file="qwen2.5-1.5b-instruct-q4_k_m.gguf",
        bytes=1_117_320_736,
        sha256="6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        licence="Apache-2.0",
        context_tokens=32_768,
        cache_bytes=2 * 28 * 2 * 128 * 2,
        about="Qwen2.5 1.5B: 1.5 billion parameters in 4 bits; for machines with little memory",
    ),
    KnownModel(
        name="smollm2-1.7b-instruct",
        repository="bartowski/SmolLM2-1.7B-Instruct-GGUF",
        file="SmolLM2-1.7B-Instruct-Q4_K_M.gguf",
        bytes=1_055_609_824,
        sha256="77665ea4815999596525c636fbeb56ba8b080b46ae85efef4f0d986a139834d7",
        licence="Apache-2.0",
        context_tokens=8_192,
        cache_bytes=2 * 24 * 32 * 64 * 2,
        about="SmolLM2 1.7B: 1.7 billion parameters in 4 bits; English",
    ),
)


def known_model(name: str) -> KnownModel | None:
    """The known model called ``name``, whatever the case of its letters; None if there is none."""
    return next((each for each in KNOWN_MODELS if each.name == name.strip().lower()), None)
