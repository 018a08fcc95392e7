"""The settings of the library, its index and searches in it."""

# ruff: noqa: RUF009 - a field's default comes from its declaration, which is immutable

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lexls.settings.setting import declared


@dataclass(frozen=True, slots=True)
class SearchingSettings:
    """What is indexed, and how it is searched."""

    jurisdiction: str = declared(
        "jurisdiction",
        "string",
        "",
        "resource",
        'Whose citation forms your drafts use, such as "UK", "IN" or "US"; empty reads all it can tell.',
    )
    library_folders: tuple[Path, ...] = declared(
        "library.folders",
        "folders",
        ["library", "authorities"],
        "resource",
        "The folders that hold your authorities; of the default ones, those that exist.",
    )
    library_exclude: tuple[str, ...] = declared(
        "library.exclude",
        "strings",
        [],
        "resource",
        'Files and folders of the library to leave out, as patterns of a .gitignore: "drafts/", "**/old/**".',
    )
    index_path: Path | None = declared(
        "index.path",
        "path",
        "",
        "machine",
        "The file that holds the index; empty keeps it in your user data folder, one for each library.",
    )
    index_max_file_megabytes: int = declared(
        "index.maxFileMegabytes",
        "integer",
        50,
        "resource",
        "Files larger than this are not indexed, and listed as failed.",
        minimum=1,
        maximum=4096,
    )
    passages_max_chars: int = declared(
        "passages.maxChars",
        "integer",
        1500,
        "resource",
        "The most characters a passage may have; longer paragraphs are cut at the ends of sentences.",
        minimum=200,
        maximum=20000,
    )
    passages_overlap: int = declared(
        "passages.overlap",
        "integer",
        0,
        "resource",
        "How many characters two pieces of one long paragraph share.",
        minimum=0,
        maximum=5000,
    )
    embeddings_model: str = declared(
        "embeddings.model",
        "string",
        "all-MiniLM-L6-v2",
        "machine",
        "The model that gives passages their vectors: this one, a sentence-transformers model by name or "
        "folder, or empty to search by words alone.",
    )
    embeddings_query_cue: str = declared(
        "embeddings.queryCue",
        "string",
        "",
        "machine",
        "What the embedding model expects before a question, where lexls does not know it.",
    )
    search_weights_passages: float = declared(
        "search.weights.passages",
        "number",
        1.0,
        "resource",
        "What BM25 over passages counts in a search; 0 leaves it out.",
        minimum=0,
        maximum=100,
    )
    search_weights_documents: float = declared(
        "search.weights.documents",
        "number",
        1.0,
        "resource",
        "What BM25 over whole documents counts.",
        minimum=0,
        maximum=100,
    )
    search_weights_vectors: float = declared(
        "search.weights.vectors",
        "number",
        0.5,
        "resource",
        "What likeness of meaning counts, once the passages have their vectors.",
        minimum=0,
        maximum=100,
    )
    search_weights_citing: float = declared(
        "search.weights.citing",
        "number",
        1.0,
        "resource",
        "What counts that the best passages cite an authority.",
        minimum=0,
        maximum=100,
    )
    search_weights_precedents: float = declared(
        "search.weights.precedents",
        "number",
        0.5,
        "resource",
        "What counts that an authority was cited for sentences like this one.",
        minimum=0,
        maximum=100,
    )
    search_rrf_k: int = declared(
        "search.rrfK",
        "integer",
        20,
        "resource",
        "The constant of reciprocal rank fusion: the larger, the less the very first ranks decide.",
        minimum=0,
        maximum=1000,
    )
    search_aggregation: str = declared(
        "search.aggregation",
        "choice",
        "max",
        "resource",
        "Whether a document is ranked by its best passage (max) or by the sum of its best three (sum).",
        choices=("max", "sum"),
    )
    search_passage_depth: int = declared(
        "search.passageDepth",
        "integer",
        500,
        "resource",
        "How many passages found by words take part in a search.",
        minimum=1,
        maximum=100000,
    )
    search_vector_depth: int = declared(
        "search.vectorDepth",
        "integer",
        500,
        "resource",
        "How many passages found by likeness take part.",
        minimum=1,
        maximum=100000,
    )
    search_prior: float = declared(
        "search.prior",
        "number",
        0.0,
        "resource",
        "What it counts for an authority that many documents of the library cite, 0 to 1.",
        minimum=0,
        maximum=1,
    )
    search_diversity: float = declared(
        "search.diversity",
        "number",
        0.0,
        "resource",
        "How much a hit loses for saying the same as one before it, 0 to 1.",
        minimum=0,
        maximum=1,
    )
    search_model_keywords: bool = declared(
        "search.modelKeywords",
        "boolean",
        False,
        "resource",
        "Whether the model of explain.generator = llama adds words by which a question to the library is "
        "looked up; it takes the model some seconds, and what it gains is not measured.",
    )
    rerank_learned: bool = declared(
        "rerank.learned",
        "boolean",
        True,
        "resource",
        "Whether the best hits are put into an order that was learnt from sentences that cite an authority.",
    )
    rerank_model: str = declared(
        "rerank.model",
        "string",
        "",
        "machine",
        "A cross-encoder that reads the best hits once more, by name or folder, such as "
        '"cross-encoder/ms-marco-MiniLM-L-6-v2" (fetch it with lexls models get); empty does without.',
    )
    rerank_depth: int = declared(
        "rerank.depth",
        "integer",
        16,
        "machine",
        "How many of the best hits the cross-encoder reads; each takes it some 10 to 25 milliseconds.",
        minimum=2,
        maximum=200,
    )
    models_idle_minutes: int = declared(
        "models.idleMinutes",
        "integer",
        10,
        "machine",
        "After how many minutes without use the models' process gives back its memory; 0 keeps it.",
        minimum=0,
        maximum=1440,
    )
