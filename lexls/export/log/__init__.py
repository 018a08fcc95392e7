"""Write, show and compare a draft's log: the findings on each citation, and who checked it."""
