"""What operators see: structured logs and traces. Started by entry points only; no library and no use case starts them."""
