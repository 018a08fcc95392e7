"""Check what a generator wrote against the evidence that it was given."""
