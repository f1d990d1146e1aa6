"""What nobody owns: sentences with addresses, hits, ports, errors, names."""
