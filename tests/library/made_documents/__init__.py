"""Documents that are made, in each format that lexls reads, with the text that was put into them."""

from __future__ import annotations

from made_documents import (
    broken_files,
    law_files,
    office_files,
    pdf_files,
    plain_files,
    web_files,
    word_files,
)
from made_documents.made_document import MadeDocument

__all__ = ["list_documents"]


_MODULES = (plain_files, web_files, word_files, office_files, law_files, pdf_files, broken_files)


def list_documents() -> list[MadeDocument]:
    """All of them."""
    return [document for module in _MODULES for document in module.list_documents()]
