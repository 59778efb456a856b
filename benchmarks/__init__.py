"""Commands that measure the judge: ``python -m benchmarks NAME`` prints a table."""
