"""Bibliographies: what stands behind the keys that a draft cites (``[@carrow, para 14]``)."""
