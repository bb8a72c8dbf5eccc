# what CI runs, in one word: just check
check: lint types test

lint:
    ruff check .
    ruff format --check .

types:
    mypy

test:
    pytest
    pytest -m slow --dist=worksteal
