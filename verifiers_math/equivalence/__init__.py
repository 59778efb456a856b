"""The pure core: text in, a decision out. No process, no clock, no input or output."""
