"""LaTeX, ASCII and Unicode mathematics as a small tree of frozen nodes."""
