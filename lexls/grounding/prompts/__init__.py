"""The prompts of models: versioned template files, and how they are filled."""
