"""`python -m ptolint`."""

from ptolint.cli import main

if __name__ == "__main__":
    main()
