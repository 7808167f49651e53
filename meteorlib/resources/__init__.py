"""Language data: the only place where it is loaded, installed and removed."""
