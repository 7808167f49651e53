"""Workspaces: the memory of an alignment, kept for the next one."""


@cython.final
@cython.no_gc
cdef class Workspace:
    """Work that is kept for the next alignment; what is not given back goes with the object."""

    cdef Work it


@cython.final
@cython.no_gc
cdef class Workspaces:
    """Workspaces that no thread is using."""

    cdef list idle

    def __cinit__(self):
        self.idle = []

    cdef Workspace take(self):
        """One that is idle, or a new one."""
        return self.idle.pop() if self.idle else Workspace.__new__(Workspace)

    cdef give_back(self, Workspace workspace):
        """Keep a workspace, unless it has grown large."""
        if not is_large(workspace.it):
            self.idle.append(workspace)
