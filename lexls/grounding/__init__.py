"""Write and check answers whose every statement is a passage."""
