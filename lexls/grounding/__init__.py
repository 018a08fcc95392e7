"""Generate answers in which every statement is a verified passage."""
