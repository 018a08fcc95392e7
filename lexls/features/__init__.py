"""Editor features as plain functions of a snapshot."""
