"""Bind the parts of llama.cpp's C interface that lexls uses, from the library in xllamacpp's wheel.

The wheel's own Python interface is a server, but its library exports all of llama.cpp, except on Windows.
Names and types are those of ``llama.h``, as in llama-cpp-python, so that either package can be used. In
structures that lexls fills in, only the fields that it uses are named.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_float, c_int, c_int32, c_size_t, c_uint32, c_void_p
from importlib.machinery import PathFinder
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

VERSION = "2026.10.11549"
"""The version of xllamacpp that has these structures; other versions may differ."""

LLAMA_TOKEN_ATTR_UNKNOWN = 1 << 0
LLAMA_TOKEN_ATTR_UNUSED = 1 << 1
LLAMA_TOKEN_ATTR_CONTROL = 1 << 3
LLAMA_TOKEN_ATTR_USER_DEFINED = 1 << 4
LLAMA_VOCAB_TYPE_NONE = 0
LLAMA_FLASH_ATTN_TYPE_DISABLED = 0

llama_token = c_int32
llama_progress_callback = CFUNCTYPE(c_bool, c_float, c_void_p)
llama_log_callback = CFUNCTYPE(None, c_int, c_char_p, c_void_p)
ggml_abort_callback = CFUNCTYPE(c_bool, c_void_p)


class llama_model_params(ctypes.Structure):
    """Parameters for loading a model."""

    _fields_ = (
        ("devices", c_void_p),
        ("tensor_buft_overrides", c_void_p),
        ("n_gpu_layers", c_int32),
        ("modes_and_main_gpu", c_int * 4),
        ("tensor_split", c_void_p),
        ("progress_callback", llama_progress_callback),
        ("others", c_void_p * 3),
    )


class llama_context_params(ctypes.Structure):
    """Parameters for creating a context."""

    _fields_ = (
        ("n_ctx", c_uint32),
        ("n_batch", c_uint32),
        ("n_ubatch", c_uint32),
        ("n_seq_max", c_uint32),
        ("n_rs_seq", c_uint32),
        ("n_outputs_max", c_uint32),
        ("n_outputs_max_per_seq", c_uint32),
        ("n_threads", c_int32),
        ("n_threads_batch", c_int32),
        ("ctx_type", c_int),
        ("rope_scaling_type", c_int),
        ("pooling_type", c_int),
        ("attention_type", c_int),
        ("flash_attn_type", c_int),
        ("numbers", c_float * 8),
        ("pointers", c_void_p * 6),
        ("embeddings", c_bool),
        ("offload_kqv", c_bool),
        ("no_perf", c_bool),
        ("others", c_void_p * 3),
    )


class llama_batch(ctypes.Structure):
    """A batch of tokens to read."""

    _fields_ = (
        ("n_tokens", c_int32),
        ("token", POINTER(llama_token)),
        ("embd", POINTER(c_float)),
        ("pos", POINTER(c_int32)),
        ("n_seq_id", POINTER(c_int32)),
        ("seq_id", POINTER(POINTER(c_int32))),
        ("logits", POINTER(ctypes.c_int8)),
    )


class llama_token_data(ctypes.Structure):
    """A token with its score."""

    _fields_ = (("id", llama_token), ("logit", c_float), ("p", c_float))


llama_token_data_p = POINTER(llama_token_data)


class llama_token_data_array(ctypes.Structure):
    """Tokens to choose from."""

    _fields_ = (
        ("data", llama_token_data_p),
        ("size", c_size_t),
        ("selected", ctypes.c_int64),
        ("sorted", c_bool),
    )


_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "llama_backend_init": (None,),
    "llama_log_set": (None, llama_log_callback, c_void_p),
    "llama_supports_gpu_offload": (c_bool,),
    "llama_model_default_params": (llama_model_params,),
    "llama_model_load_from_file": (c_void_p, c_char_p, llama_model_params),
    "llama_model_free": (None, c_void_p),
    "llama_model_desc": (c_int32, c_void_p, c_char_p, c_size_t),
    "llama_model_has_encoder": (c_bool, c_void_p),
    "llama_model_has_decoder": (c_bool, c_void_p),
    "llama_model_n_ctx_train": (c_int32, c_void_p),
    "llama_model_n_embd": (c_int32, c_void_p),
    "llama_model_n_head": (c_int32, c_void_p),
    "llama_model_get_vocab": (c_void_p, c_void_p),
    "llama_vocab_type": (c_int, c_void_p),
    "llama_vocab_n_tokens": (c_int32, c_void_p),
    "llama_vocab_get_attr": (c_int, c_void_p, llama_token),
    "llama_vocab_get_text": (c_char_p, c_void_p, llama_token),
    "llama_vocab_is_eog": (c_bool, c_void_p, llama_token),
    "llama_vocab_bos": (llama_token, c_void_p),
    "llama_vocab_eos": (llama_token, c_void_p),
    "llama_vocab_get_add_bos": (c_bool, c_void_p),
    "llama_tokenize": (c_int32, c_void_p, c_char_p, c_int32, POINTER(llama_token), c_int32, c_bool, c_bool),
    "llama_token_to_piece": (c_int32, c_void_p, llama_token, c_char_p, c_int32, c_int32, c_bool),
    "llama_context_default_params": (llama_context_params,),
    "llama_init_from_model": (c_void_p, c_void_p, llama_context_params),
    "llama_free": (None, c_void_p),
    "llama_n_ctx": (c_uint32, c_void_p),
    "llama_set_abort_callback": (None, c_void_p, ggml_abort_callback, c_void_p),
    "llama_get_memory": (c_void_p, c_void_p),
    "llama_memory_clear": (None, c_void_p, c_bool),
    "llama_memory_seq_rm": (c_bool, c_void_p, c_int32, c_int32, c_int32),
    "llama_batch_get_one": (llama_batch, POINTER(llama_token), c_int32),
    "llama_decode": (c_int32, c_void_p, llama_batch),
    "llama_get_logits_ith": (POINTER(c_float), c_void_p, c_int32),
    "llama_sampler_init_grammar": (c_void_p, c_void_p, c_char_p, c_char_p),
    "llama_sampler_accept": (None, c_void_p, llama_token),
    "llama_sampler_apply": (None, c_void_p, POINTER(llama_token_data_array)),
    "llama_sampler_free": (None, c_void_p),
}
"""The return type of each function, and the types of its arguments."""


def _bind() -> dict[str, Any]:
    """Return the C functions from the wheel's extension module, which is opened as a library and not
    imported.
    """
    found = version("xllamacpp")
    if found != VERSION:
        raise ImportError(f"xllamacpp is {found}, and lexls knows the structures of {VERSION}")
    package = find_spec("xllamacpp")
    places = package.submodule_search_locations if package is not None else None
    module = PathFinder.find_spec("xllamacpp.xllamacpp", places)
    if module is None:
        raise ImportError("xllamacpp is without its library")
    library = ctypes.CDLL(module.origin)
    bound = {}
    for name, (gives, *takes) in _FUNCTIONS.items():
        bound[name] = function = library[name]
        function.restype, function.argtypes = gives, takes
    return bound


globals().update(_bind())
