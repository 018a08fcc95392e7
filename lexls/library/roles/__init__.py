"""Rhetorical roles: what each sentence of a judgment does there (states facts, argues, holds …)."""
