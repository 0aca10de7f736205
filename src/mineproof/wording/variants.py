"""Names of the rules of variants, and a sentence about each."""

from __future__ import annotations

from mineproof.wording.catalogue import listing, message


def rule_title(name: str) -> str:
    """Return the title of a rule such as ``no-three`` or ``capped:3``."""
    kind, _, number = name.partition(":")
    return message(f"variant-{kind}", number=number)


def rule_sentence(name: str) -> str:
    """Return what a rule says."""
    kind, _, number = name.partition(":")
    return message(f"variant-{kind}-help", number=number)


def rules_title(rules: str) -> str:
    """Return the title of several rules, as `Variant.names` lists them."""
    return listing([rule_title(name) for name in rules.split(",")])


def rules_sentence(rules: str) -> str:
    """Return what several rules say."""
    return " ".join(rule_sentence(name) for name in rules.split(","))
