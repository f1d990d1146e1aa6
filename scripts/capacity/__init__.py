"""How many instances a school's essays take, how long students wait, and what it costs: a model. docs/capacity.md."""
