"""`python -m lineage`."""

from lineage.cli import main

if __name__ == "__main__":
    main()
