"""`python -m lineage`."""

from lineage.cli import run

if __name__ == "__main__":
    run()
