"""The search of METEOR 2005, stage by stage.

`staged` takes the stages one after the other and settles words that have no choice (`components`). The others, reduced
if they are very many (`sparsification`), are the open words (`open_words`) of a branch and bound (`branch_and_bound`),
whose moves have a cost (`costs`) and must keep a largest matching within reach (`bipartite`).
"""

from meteorlib.search.staged.staged import Staged

__all__ = ["Staged"]
