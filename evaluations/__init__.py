"""Figures of the product, what they were measured on, and the data that was held out."""
