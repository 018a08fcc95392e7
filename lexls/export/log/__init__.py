"""Write, show and compare the log of a draft: what was found out of each citation, and who checked it."""
