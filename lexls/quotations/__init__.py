"""Find quotations in drafts, attribute them, and compare them with authorities."""
