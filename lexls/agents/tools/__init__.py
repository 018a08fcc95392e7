"""The tools, one per module. Each module has the tool's arguments, whose docstring describes the tool to the
model, and its answer.
"""
