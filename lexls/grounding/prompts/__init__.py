"""Keep the prompts of models, as versioned template files."""
