"""What goes wrong with a language model, apart from llama.cpp, so that it can be named without it."""

from __future__ import annotations


class NotLoaded(Exception):
    """llama.cpp cannot use a model; the message is its reason, without the file's name."""


class Stopped(Exception):
    """The work was stopped by the function given for that."""


class Failed(Exception):
    """llama.cpp could not compute; the message says what."""


class BadGrammar(Exception):
    """A grammar is none; the message says why, without words of it, which may come from a text."""
