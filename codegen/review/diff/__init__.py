"""Semantic diff of generated C: two trees are compared function by function."""

from codegen.review.diff.changes import Change, ChangeClass, SourceTree, Unreadable, Witness
from codegen.review.diff.compare import compare_trees

__all__ = ["Change", "ChangeClass", "SourceTree", "Unreadable", "Witness", "compare_trees"]
