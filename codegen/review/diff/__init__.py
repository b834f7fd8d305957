"""What a change of generated C means: two trees compared function by function."""

from codegen.review.diff.changes import Change, Kind, Tree, Unreadable, Witness
from codegen.review.diff.compare import compare_trees

__all__ = ["Change", "Kind", "Tree", "Unreadable", "Witness", "compare_trees"]
