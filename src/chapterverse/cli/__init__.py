"""The command line: translate, call, print."""
