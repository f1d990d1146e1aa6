"""A learning platform after the specifications of 1EdTech, to test LTI tools against. See README.md."""
