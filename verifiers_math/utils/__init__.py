"""Module paths that code written for ``verifiers`` expects; everything is defined elsewhere."""
