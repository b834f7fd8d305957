"""Derivations: the steps from each kernel's definition to its Program, and their checks."""

from codegen.derivation.checks import check_steps
from codegen.derivation.steps import Step, derivation, equations

__all__ = ["Step", "check_steps", "derivation", "equations"]
