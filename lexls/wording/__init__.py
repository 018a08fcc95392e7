"""Format authorities, pinpoints and treatment for readers."""
