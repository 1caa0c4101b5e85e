"""Processes that this Python starts are the same Python, inside R too."""

import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def same_python() -> Iterator[None]:
    """Within, a program of Python loads the library that this process has loaded.

    R puts folders of its own first where libraries are looked for, and with them the libpython of
    the system: the program of another Python would start as that one. The folder of this process's
    library comes before them here, and R's environment is as it was afterwards.
    """
    folder = sysconfig.get_config_var("LIBDIR")
    library = sysconfig.get_config_var("INSTSONAME")
    name = "LD_LIBRARY_PATH"
    before = os.environ.get(name)
    if not (before and folder and library and os.path.exists(os.path.join(folder, library))):
        yield
        return
    os.environ[name] = os.pathsep.join([folder, before])
    try:
        yield
    finally:
        os.environ[name] = before
