"""The HTTP interface: translate, call one use case, answer. docs/architecture.md walks through it."""
