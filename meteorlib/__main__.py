"""``python -m meteorlib`` is the command ``meteorlib``."""

from meteorlib.cli import main

if __name__ == "__main__":
    main()
