"""Explanations: where every number of the rules' output comes from. Nothing is computed anew here."""
