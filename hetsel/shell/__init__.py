"""The command `hetsel`."""
