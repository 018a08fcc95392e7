"""Language models of random weights in llama.cpp's format: they write nonsense, but as any other does.

Llama's architecture, a vocabulary as SentencePiece makes them (bytes where no word fits), and as many words,
layers and numbers as asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import gguf
import numpy as np

MARKS = ("<|im_start|>", "<|im_end|>")
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
SENTENCE = (
    "the of a to and in is that by for court held tenant landlord notice weir lien carrier barrier tide "
    "statute section passage answer evidence sentence quotation insufficient missing P1 P2"
)
CHARACTERS = '{}[]":,._-()/\\\nabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'


def vocabulary(words: int, defined: Sequence[str] = ()) -> tuple[list[str], list[float], list[int]]:
    """Texts, scores and kinds of at least ``words`` tokens: the usual first three, the marks of turns, the
    tokens that are ``defined`` by the user, bytes, characters, words, and numbered words up to ``words``."""
    kind = gguf.TokenType
    tokens = [("<unk>", 0.0, kind.UNKNOWN), ("<s>", 0.0, kind.CONTROL), ("</s>", 0.0, kind.CONTROL)]
    tokens += [(mark, 0.0, kind.CONTROL) for mark in MARKS if mark not in defined]
    tokens += [(text, 0.0, kind.USER_DEFINED) for text in defined]
    tokens += [(f"<0x{byte:02X}>", 0.0, kind.BYTE) for byte in range(256)]
    tokens += [(text, -1000.0, kind.NORMAL) for text in ("▁", *dict.fromkeys(CHARACTERS))]
    # A word is found by joining two pieces again and again, so all its beginnings are tokens, too.
    found: dict[str, None] = {}
    for word in SENTENCE.split():
        for length in range(1, len(word) + 1):
            found.setdefault("▁" + word[:length])
            found.setdefault(word[: length + 1])
    singles = {text for text, _, _ in tokens}
    tokens += [(text, -float(len(singles) - len(text)), kind.NORMAL) for text in found if text not in singles]
    tokens += [(f"▁w{number}", -2000.0, kind.NORMAL) for number in range(words - len(tokens))]
    texts, scores, kinds = zip(*tokens, strict=True)
    return list(texts), list(scores), list(kinds)


def write_random_model(
    path: Path,
    *,
    template: str = CHAT_TEMPLATE,
    seed: int = 0,
    words: int = 0,
    width: int = 32,
    inner: int = 64,
    layers: int = 2,
    heads: int = 4,
    key_heads: int = 2,
    context: int = 2048,
    defined: Sequence[str] = (),
    with_vocabulary: bool = True,
    ends: bool = False,
) -> Path:
    """A model with float32 weights from ``seed``; "" as ``template`` leaves it out. One that ``ends`` writes
    full stops, and stops behind them, far more often than anything else."""
    chance = np.random.default_rng(seed)
    texts, scores, kinds = vocabulary(words, defined)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("random")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(texts))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    if with_vocabulary:
        writer.add_tokenizer_model("llama")
        writer.add_token_list(texts)
        writer.add_token_scores(scores)
        writer.add_token_types(kinds)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(texts.index(MARKS[1]))
        writer.add_add_bos_token(True)
        writer.add_add_eos_token(False)
        if template:
            writer.add_chat_template(template)
    else:
        writer.add_tokenizer_model("no_vocab")

    def dense(name: str, rows: int, columns: int, larger: Sequence[int] = ()) -> None:
        # Twice the usual spread: the scores of tokens are then far enough apart for an end to come about.
        weights = chance.normal(0, 2 * columns**-0.5, (rows, columns)).astype(np.float32)
        weights[list(larger)] *= 8
        writer.add_tensor(f"{name}.weight", weights)

    def norm(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))

    keys = width // heads * key_heads
    dense("token_embd", len(texts), width)
    for layer in range(layers):
        block = f"blk.{layer}"
        norm(f"{block}.attn_norm")
        for name, rows in (("attn_q", width), ("attn_k", keys), ("attn_v", keys), ("attn_output", width)):
            dense(f"{block}.{name}", rows, width)
        norm(f"{block}.ffn_norm")
        dense(f"{block}.ffn_gate", inner, width)
        dense(f"{block}.ffn_up", inner, width)
        dense(f"{block}.ffn_down", width, inner)
    norm("output_norm")
    dense("output", len(texts), width, [texts.index("."), texts.index(MARKS[1])] if ends else [])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
