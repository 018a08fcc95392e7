from typing import get_args

from lexls.features.semantic_tokens import TokenKind
from lexls.settings.commands import TOKEN_TYPES


def test_every_kind_of_token_is_declared() -> None:
    assert [each.id for each in TOKEN_TYPES] == list(get_args(TokenKind))
