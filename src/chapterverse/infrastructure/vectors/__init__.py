"""Vector and word indexes."""
