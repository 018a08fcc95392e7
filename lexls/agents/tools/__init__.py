"""The tools, a module each: what may be asked (its words are what a model is told of it) and the answer."""
