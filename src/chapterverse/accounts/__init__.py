"""Schools, people, keys, sign-in, and a school's settings."""
