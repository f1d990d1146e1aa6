"""What the product does, one module a job; each speaks to the world through ports only."""
