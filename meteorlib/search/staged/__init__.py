"""The search of METEOR 2005, stage by stage.

`search` takes the stages one after the other and settles what leaves no choice (`components`). What is left, cut down
where it is very large (`sparsification`), is a branch and bound (`branching`) over open words (`words`), whose moves
have a cost (`costs`) and must keep a largest matching within reach (`matching`).
"""

from meteorlib.search.staged.staged import Staged

__all__ = ["Staged"]
