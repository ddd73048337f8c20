# Everything a developer types; `make` alone lists it. Each target first makes or repairs .venv.
PYTHON ?= python3
ROBOT ?=
ARGS ?=
BIN := .venv/bin

# A ROS installation that the shell has sourced must not mix with the wheels in .venv.
unexport PYTHONPATH PYTHONHOME LD_LIBRARY_PATH AMENT_PREFIX_PATH COLCON_PREFIX_PATH ROS_DISTRO \
	RMW_IMPLEMENTATION _ROS_WHEELS_BOOTSTRAP_COMPLETE

.PHONY: help setup demo bench test check lint types docs docs_current plots format clean
.DEFAULT_GOAL := help

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z_]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Variables: ROBOT=panda|ur5|kinova|path/to.urdf  ARGS="..."  PYTHON=python3.12'

setup: ## Make .venv, or repair it; PYTHON says with which Python
	@command -v $(PYTHON) > /dev/null || \
		{ echo 'setup: no $(PYTHON) here; sudo apt install python3 python3-venv'; exit 2; }
	@$(PYTHON) tools/setup_venv.py

demo: setup ## Track a motion in simulation over ROS 2; ROBOT says with which robot
	@$(BIN)/id_controller demo $(if $(ROBOT),'$(ROBOT)') $(ARGS)

bench: setup ## Measure rate, latency and growth (25 min); ARGS=--quick for a first look
	@$(BIN)/id_controller bench $(ARGS)

test: setup ## Run all tests; ARGS goes to pytest (ARGS='-k limits')
	$(BIN)/python -m pytest $(ARGS)

check: lint types docs_current ## Run all that is checked without running tests

lint: setup ## Check the style
	$(BIN)/ruff check

types: setup ## Check the types
	$(BIN)/mypy

docs: setup ## Write the generated documentation and the example configuration
	$(BIN)/python -m id_controller.command_line.documents

docs_current: setup
	$(BIN)/python -m id_controller.command_line.documents --check

plots: setup ## Draw the pictures of doc/trajectories.md
	$(BIN)/python -m id_controller.command_line.trajectory_plots doc

format: setup ## Mend what the style check can mend by itself
	$(BIN)/ruff check --fix

clean: ## Remove all that make made, .venv too
	rm -rf .venv report build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
