"""What the grammar of an answer costs: making it, llama.cpp's reading it, and asking it for each token.

python benchmarks/bench_grammar.py [--words 32000 128000] [--write]

Six passages of 1,500 characters of the sample library. An answer of five sentences, each with a quotation
of 25 words and as many words of its own, is followed token by token; at each the grammar is asked for the
next token alone (what happens when the likeliest token fits) and for the whole vocabulary (when none of the
likeliest does). The vocabularies are invented: beginnings and inner pieces of the sample library's words,
then numbered words.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gguf
import llama_cpp.llama_cpp as llama
import numpy as np
from measuring import Spread, load, table, write_results

from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.grammar import write_grammar
from lexls.grounding.request import Request
from lexls.index.records import Authority

LIBRARY = Path(__file__).resolve().parents[1] / "examples" / "library"
PASSAGES, CHARS = 6, 1500
SENTENCES, WORDS = 5, 25
ROW = np.dtype([("id", "i4"), ("logit", "f4"), ("p", "f4")])


def passages() -> list[str]:
    """Texts of judgments of the sample library, each from the middle of one."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((LIBRARY / "cases").glob("*.md"))]
    found = []
    for text in texts:
        start = text.index(" ", len(text) // 3) + 1
        found.append(text[start : start + CHARS])
    return found[:PASSAGES]


def request() -> Request:
    evidence = []
    for number, text in enumerate(passages(), start=1):
        authority = Authority(
            number, Path("x.md"), Path(), "x.md", "X", "", (), "", "", "case", "", is_text=True
        )
        evidence.append(
            Evidence(f"P{number}", authority, 0, len(text), text, (TextSegment(0),), (0, len(text)))
        )
    return Request("ask", "Who must pay the dues?", tuple(evidence), sentences=SENTENCES)


def answer(asked: Request) -> str:
    """An answer that both kinds of grammar allow."""
    items = []
    for evidence in asked.evidence[:SENTENCES]:
        words = max(evidence.text.split("\n"), key=len).split()
        # The first word may be the number of a paragraph or the rest of a clause: begin after a stop.
        first = next(at + 1 for at, word in enumerate(words) if at > 1 and word[-1] in ".,;")
        quotation = " ".join(words[first : first + WORDS])
        items.append(
            {
                "evidence": [{"passage": evidence.identifier, "quotation": quotation}],
                "sentence": " ".join(words[-WORDS:]),
            }
        )
    return json.dumps({"answer": items}, ensure_ascii=False, separators=(",", ":"))


def write_vocabulary(path: Path, words: int) -> None:
    """A model file without a model: a vocabulary of ``words`` tokens as SentencePiece makes them."""
    text = " ".join(each.read_text(encoding="utf-8") for each in sorted(LIBRARY.rglob("*.md")))
    counted: Counter[str] = Counter()
    for word, count in Counter(re.findall(r"\S+", text)).items():
        whole = "\u2581" + word
        for start in range(len(whole)):
            for length in range(2, min(12, len(whole) - start) + 1):
                counted[whole[start : start + length]] += count
    singles = sorted({*text, *map(chr, range(33, 127)), "\u2581"} - {" ", "\n"})
    kind = gguf.TokenType
    tokens = [("<unk>", 0.0, kind.UNKNOWN), ("<s>", 0.0, kind.CONTROL), ("</s>", 0.0, kind.CONTROL)]
    tokens += [(f"<0x{byte:02X}>", 0.0, kind.BYTE) for byte in range(256)]
    tokens += [(each, -1e6, kind.NORMAL) for each in singles]
    common = [piece for piece, _ in counted.most_common(words - len(tokens))]
    tokens += [(piece, -float(rank), kind.NORMAL) for rank, piece in enumerate(common)]
    tokens += [(f"\u2581w{number}", -2e6, kind.NORMAL) for number in range(words - len(tokens))]
    texts, scores, kinds = zip(*tokens, strict=True)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(512)
    writer.add_embedding_length(32)
    writer.add_block_count(1)
    writer.add_head_count(2)
    writer.add_feed_forward_length(32)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(list(texts))
    writer.add_token_scores(list(scores))
    writer.add_token_types(list(kinds))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Vocabulary:
    """The vocabulary of a file, and llama.cpp's samplers over it."""

    def __init__(self, path: Path) -> None:
        parameters = llama.llama_model_default_params()
        parameters.vocab_only = True
        self.handle = llama.llama_model_get_vocab(
            llama.llama_model_load_from_file(str(path).encode(), parameters)
        )
        self.size = int(llama.llama_vocab_n_tokens(self.handle))

    def tokens(self, text: str) -> list[int]:
        data = text.encode()
        room = (llama.llama_token * (len(data) + 8))()
        count = llama.llama_tokenize(self.handle, data, len(data), room, len(room), False, False)
        return list(room[:count])

    def parsed(self, grammar: str) -> Any:
        return llama.llama_sampler_init_grammar(self.handle, grammar.encode(), b"root")


def allowed(sampler: Any, ids: Sequence[int] | np.ndarray) -> np.ndarray:
    """Which of these tokens may come next."""
    rows = np.zeros(len(ids), ROW)
    rows["id"] = ids
    data = ctypes.cast(rows.ctypes.data, llama.llama_token_data_p)
    candidates = llama.llama_token_data_array(data=data, size=len(rows), selected=-1, sorted=False)
    llama.llama_sampler_apply(sampler, ctypes.byref(candidates))
    return np.isfinite(rows["logit"])


def followed(vocabulary: Vocabulary, grammar: str, text: str) -> tuple[list[float], list[float]]:
    """Milliseconds at each token of ``text``: for it alone, and for all tokens."""
    sampler = vocabulary.parsed(grammar)
    every = np.arange(vocabulary.size)
    alone, whole = [], []
    for token in vocabulary.tokens(text):
        started = time.thread_time()
        fits = allowed(sampler, [token])[0]
        between = time.thread_time()
        allowed(sampler, every)
        ended = time.thread_time()
        if not fits:
            sys.exit("the answer is not one of the grammar")
        alone.append((between - started) * 1000)
        whole.append((ended - between) * 1000)
        llama.llama_sampler_accept(sampler, token)
    llama.llama_sampler_free(sampler)
    return alone, whole


def parsed(vocabulary: Vocabulary, grammar: str) -> None:
    llama.llama_sampler_free(vocabulary.parsed(grammar))


def milliseconds(work: Any, times: int = 20) -> tuple[float, Any]:
    """Of processor time: the median over ``times`` runs; and the last result."""
    taken, result = [], None
    for _ in range(times):
        started = time.thread_time()
        result = work()
        taken.append((time.thread_time() - started) * 1000)
    return Spread.of(taken).p50, result


def rows(sizes: Sequence[int], asked: Request, text: str) -> Iterator[list[object]]:
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vocabulary.gguf"
            write_vocabulary(path, size)
            vocabulary = Vocabulary(path)
        for verbatim, name in ((False, "checked"), (True, "grammar")):
            made, grammar = milliseconds(partial(write_grammar, asked, verbatim))
            read, _ = milliseconds(partial(parsed, vocabulary, grammar))
            alone, whole = followed(vocabulary, grammar, text)
            one, every = Spread.of(alone), Spread.of(whole)
            yield [
                f"{size:,}",
                name,
                f"{grammar.count('::='):,}",
                f"{len(grammar) / 1000:.0f}",
                f"{made:.1f}",
                f"{read:.1f}",
                f"{one.p50:.3f} / {one.largest:.2f}",
                f"{every.p50:.1f} / {every.p95:.1f} / {every.largest:.1f}",
            ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--words", type=int, nargs="+", default=[32_000, 128_000], help="sizes of vocabularies"
    )
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    options = parser.parse_args()
    silent = llama.llama_log_callback(lambda level, text, data: None)
    llama.llama_log_set(silent, None)
    asked = request()
    before = load()
    head = [
        "tokens in the vocabulary",
        "explain.quotations",
        "rules",
        "kB",
        "made in ms",
        "read by llama.cpp in ms",
        "next token alone: ms, median / max",
        "whole vocabulary: ms, median / p95 / max",
    ]
    found = table(head, rows(options.words, asked, answer(asked)))
    print(found)
    if options.write:
        command = "    python benchmarks/bench_grammar.py --write\n"
        about = (
            f"{PASSAGES} passages of {CHARS:,} characters of the sample library; an answer of {SENTENCES} "
            f"sentences with a quotation of {WORDS} words each, token by token. Invented vocabularies. Times "
            f"are those of the processor. Load average before and after: {before:.1f} and {load():.1f}.\n"
        )
        notes = (
            "While the likeliest token fits the grammar costs the time of one token alone; more of the "
            "vocabulary is asked only where it does not. With quotations in the grammar most tokens of a "
            "quotation are refused at their first character, so that a token of it costs no more than one of "
            "free text.\n"
        )
        print(write_results("Grammar of answers", [command, about, found, notes]))


if __name__ == "__main__":
    main()
