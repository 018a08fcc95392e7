"""Tiny models of random weights, written to disk as models are kept there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from bert_reference import random_weights, write_safetensors
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SENTENCE = "the carrier lien notice of tenant ##s . a weir tidal is barrier sea covers twice day"
WORDS = [*SPECIAL, *SENTENCE.split()]
HEADS = 4
POSITIONS = 64


def small_tokenizer(words: Sequence[str] = WORDS) -> Tokenizer:
    """BERT's way to cut texts, for few words; the first four are those of ``SPECIAL``."""
    built = Tokenizer(
        models.WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]")
    )
    built.normalizer = normalizers.BertNormalizer()
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    built.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return built


def write_tokenizer(folder: Path, **more: object) -> None:
    """``tokenizer.json`` and what transformers wants to know beside."""
    small_tokenizer().save(str(folder / "tokenizer.json"))
    names = dict(
        zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True)
    )
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": POSITIONS, **names, **more}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


def write_cross_encoder(folder: Path, labels: int = 1, token_types: bool = True) -> Path:
    """A BERT cross-encoder of two layers, as transformers saves one."""
    folder.mkdir()
    weights = random_weights(len(WORDS), 32, 64, 2, POSITIONS, 5, labels)
    named = {
        name if name.startswith("classifier") else f"bert.{name}": each for name, each in weights.items()
    }
    (folder / "model.safetensors").write_bytes(write_safetensors(named))
    config = {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "vocab_size": len(WORDS),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": HEADS,
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        "id2label": {str(number): f"LABEL_{number}" for number in range(labels)},
        "label2id": {f"LABEL_{number}": number for number in range(labels)},
    }
    (folder / "config.json").write_text(json.dumps(config))
    inputs = ["input_ids", "token_type_ids" if token_types else "", "attention_mask"]
    write_tokenizer(folder, model_input_names=[each for each in inputs if each])
    return folder
