"""One module for each training framework: its call shape, and no logic of its own."""
