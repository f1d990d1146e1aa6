"""LTI Asset Processor and Platform Notification Service for tools in Python, on PyLTI1p3. See README.md.

Claims and errors are in notices; registration and services, which need PyLTI1p3, are modules of their own."""
