.DEFAULT_GOAL := help
.PHONY: help demo test check eval lock clean
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
