# lint, types and all tests; .ci/run does more
check: lint types test

lint:
    ruff check .
    ruff format --check .

types:
    mypy

test:
    pytest
    pytest -m slow --dist=worksteal
