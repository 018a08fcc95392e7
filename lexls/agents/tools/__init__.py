"""The tools, one module each: the arguments, whose docstring describes the tool to the model, and the
answer.
"""
