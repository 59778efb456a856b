"""Answers of an adversary: what earns nothing, and the honest neighbours that must."""
