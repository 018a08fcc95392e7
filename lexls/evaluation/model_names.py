"""What embedding models are called for short."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

HUB_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "gte-large": "thenlper/gte-large",
        "gte-base": "thenlper/gte-base",
        "bge-large-en-v1.5": "BAAI/bge-large-en-v1.5",
        "bge-base-en-v1.5": "BAAI/bge-base-en-v1.5",
        "bge-small-en-v1.5": "BAAI/bge-small-en-v1.5",
        "all-mpnet-base-v2": "sentence-transformers/all-mpnet-base-v2",
        "legal-ft-1": "llm-wizard/legal-ft-1",
        "InLegalBERT": "law-ai/InLegalBERT",
    }
)
"""Short name → name on the Hugging Face hub."""


def hub_name(name: str) -> str:
    """The full name of a model that people know by a short one; any other name as it is."""
    folded = {short.casefold(): full for short, full in HUB_NAMES.items()}
    return folded.get(name.casefold(), name)
