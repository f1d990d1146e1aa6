"""The pages that people use in a browser; what they do there goes through the same HTTP interface that programs use."""
