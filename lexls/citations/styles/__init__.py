"""Citation styles as data: how a style guide writes a citation from the known details of an authority."""

from lexls.citations.styles.shapes import PinnedPlace, Reference, Rendered, TableForm, WrittenAs
from lexls.citations.styles.style import STYLES, Style, StyleError

__all__ = ["STYLES", "PinnedPlace", "Reference", "Rendered", "Style", "StyleError", "TableForm", "WrittenAs"]
