"""The test suite; a package, so that no other package named `tests` can stand in its place."""
