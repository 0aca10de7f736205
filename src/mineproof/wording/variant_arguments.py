"""Arguments about boards of variants in sentences: one or two short sentences for each clause.

Every kind of clause has one function here. The texts are in the section "variants" of the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.wording.catalogue import has_message, listing, message, number, plural, sentence
from mineproof.wording.cells import CellRole, cell_phrase, cells_are_highlighted, clue_label
from mineproof.wording.variant_clauses import VARIANT_ARGUMENT, Source, VariantClause

MAX_NAMED_CLUES = 8  # of one clause; of more, the rest is counted
FEW_WAYS = 6  # that a person can go through


def render_variant_argument(argument: VariantClause) -> str:
    """Return an argument in the current language.

    >>> clue = Source("liar", (0, 0), "2")
    >>> says = VariantClause("says", sources=(clue,), amounts=(1, 3), most=8)
    >>> render_variant_argument(VariantClause("argument", parts=(says, VariantClause("so-safe", ((0, 1),)))))
    'The 2 at (0,0) is off by one, so there are 1 or 3 mines around it. So (0,1) is safe.'
    """
    parts = argument.parts if argument.kind == VARIANT_ARGUMENT else (argument,)
    return " ".join(filter(None, (_RENDERERS[part.kind](part) for part in parts)))


def rule_text(rule: str) -> str:
    """Return a rule in one sentence, or in one that only names it if it is a custom rule."""
    word, _, value = rule.partition(":")
    key = f"variant-rule-{word}"
    return message(key, value=value) if has_message(key) else message("variant-rule-own", rule=rule)


# fields


def source_label(source: Source) -> str:
    """Return the name of a clue or a rule: ``the 2 at (0,0)``, ``the rule quad``."""
    if source.cell is not None:
        return clue_label(source.clue, source.cell)
    return message("variant-source-rule", rule=source.rule) if source.rule else message("variant-source-total")


def _source_names(sources: Sequence[Source]) -> str:
    names = list(dict.fromkeys(map(source_label, sources)))
    if len(names) > MAX_NAMED_CLUES + 1:
        rest = len(names) - MAX_NAMED_CLUES
        names = [*names[:MAX_NAMED_CLUES], plural("variant-more-clues", rest)]
    return listing(names)


def _amount(amounts: Sequence[int], most: int | None = None) -> tuple[str, int]:
    """Return possible numbers of mines, ``1 or 3 mines`` or ``at least 2 mines``, and the count that verbs take."""
    if list(amounts) == [0]:
        return message("variant-amount-none"), 1
    if most is not None and len(amounts) > 1 and list(amounts) == list(range(amounts[0], amounts[-1] + 1)):
        if amounts[-1] >= most and amounts[0] > 0:
            return plural("variant-amount-at-least", amounts[0]), amounts[0]
        if amounts[0] == 0 and amounts[-1] < most:
            return plural("variant-amount-at-most", amounts[-1]), amounts[-1]
    values = listing([number(amount) for amount in amounts], "list-or")
    count = amounts[-1] if len(amounts) == 1 else 2
    return plural("variant-amount", count, values=values), count


def _cells(clause: VariantClause, role: CellRole = "cell") -> str:
    return cell_phrase(clause.cells, role)


# one function for each form of clause


def _says(clause: VariantClause) -> str:
    """Say what a clue or a rule means here."""
    source = clause.sources[0]
    word, _, value = source.rule.partition(":")
    fields: dict[str, object] = {"clue": source_label(source), "rule": source.rule, "value": value}
    if clause.cells:
        fields["cells"] = _cells(clause)
    count = 1
    if clause.amounts:
        fields["amounts"], count = _amount(clause.amounts, clause.most)
    if clause.count is not None:
        word, fields["total"] = f"{word}-total", _amount([clause.count])[0]
    if word in _ZERO_MEANS_NO_MINE and source.clue == "0":
        return sentence(message("variant-says-no-mine", clue=fields["clue"]))
    if word in _GROUPS and source.clue.replace("+", "").isdecimal():
        return _says_groups(source, word)
    kind = "sum" if clause.amounts else "ways"
    for key in (f"variant-says-{word}-{kind}", f"variant-says-{'clue' if source.cell else 'rule'}-{kind}"):
        if has_message(key):
            return sentence(plural(key, count, **fields))
    return rule_text(source.rule)


_GROUPS = ("wall", "partition")
_ZERO_MEANS_NO_MINE = ("wall", "partition", "multiple")


def _says_groups(source: Source, rule: str) -> str:
    """Say what the groups of a clue are: their lengths, or their number."""
    clue, sizes = source_label(source), source.clue.split("+")
    if rule == "wall" and set(sizes) == {"1"}:
        key = "variant-says-one-mine" if len(sizes) == 1 else "variant-says-single-mines"
        return sentence(message(key, clue=clue, count=len(sizes)))
    value = listing(sizes) if rule == "wall" else source.clue
    is_single = len(sizes) == 1 if rule == "wall" else source.clue == "1"
    return sentence(plural(f"variant-says-{rule}-ways", 1 if is_single else 2, clue=clue, value=value))


def _about_cells(role: CellRole) -> Callable[[VariantClause], str]:
    def render(clause: VariantClause) -> str:
        key, fields = f"variant-{clause.kind}", {"cells": _cells(clause, role)}
        if clause.sources:
            [source] = clause.sources
            fields["clue"] = source_label(source)
            if source.cell is None and has_message(f"{key}-rule"):
                key = f"{key}-rule"
        return sentence(plural(key, len(clause.cells), **fields))

    return render


def _dark(clause: VariantClause) -> str:
    """Say which cells are dark; a highlighted board shows what that means."""
    key = "variant-dark-seen" if cells_are_highlighted() else "variant-dark"
    return sentence(plural(key, len(clause.cells), cells=_cells(clause)))


def _as_classic(clause: VariantClause) -> str:
    """Render a clause that plain boards have, too."""
    role: CellRole = "suppose" if "suppose" in clause.kind else "mine" if clause.kind.endswith("mines") else "safe"
    return sentence(plural(f"argument-{clause.kind}", len(clause.cells), cells=_cells(clause, role)))


def _both(clause: VariantClause) -> str:
    mines, safe = clause.parts
    states = {
        "mines": plural("argument-cells-mines", len(mines.cells), cells=_cells(mines, "mine")),
        "safe": plural("argument-cells-safe", len(safe.cells), cells=_cells(safe, "safe")),
    }
    return message("argument-so-both" if clause.kind == "so-both" else "variant-every-way-both", **states)


def _part(clause: VariantClause) -> str:
    amounts, count = _amount(clause.amounts, clause.most)
    return sentence(plural("variant-part", count, cells=_cells(clause), amounts=amounts))


def _ways(clause: VariantClause) -> str:
    count = clause.count or 0
    key = "variant-ways" if clause.cells else "variant-ways-together"
    if not clause.cells and count > FEW_WAYS:
        names = _source_names(clause.sources)
        return sentence(message("variant-many-ways-together", count=number(count), clues=names))
    cells = {"cells": _cells(clause)} if clause.cells else {"clues": _source_names(clause.sources)}
    return sentence(plural(key, count, **cells))


def _then(clause: VariantClause) -> str:
    [source] = clause.sources
    clue = source_label(source)
    if clause.kind == "broken":
        key = "variant-broken" if source.cell else "variant-broken-rule" if source.rule else "variant-broken-total"
        return sentence(message(key, clue=clue))
    role: CellRole = "mine" if clause.kind.endswith("mines") else "safe"
    return sentence(plural(f"variant-{clause.kind}", len(clause.cells), clue=clue, cells=_cells(clause, role)))


def _at_least(clause: VariantClause) -> str:
    return sentence(plural(f"variant-{clause.kind}", clause.count or 0, clue=source_label(clause.sources[0])))


def _about_count(clause: VariantClause) -> str:
    count = clause.count or 0
    none = f"argument-{clause.kind}-none"
    return message(none) if count == 0 and has_message(none) else plural(f"argument-{clause.kind}", count)


def _judge(clause: VariantClause) -> str:
    rules = listing([source_label(source) for source in clause.sources])
    return sentence(plural("variant-judged", clause.count or 0, rules=rules))


_RENDERERS: dict[str, Callable[[VariantClause], str]] = {
    VARIANT_ARGUMENT: render_variant_argument,
    "rule": lambda clause: rule_text(clause.sources[0].rule),
    # one clue
    "says": _says,
    "dark": _dark,
    "known": _about_cells("mine"),
    "known-mines": _about_cells("mine"),
    "left": _about_cells("cell"),
    "none-fits": _about_cells("safe"),
    "all-needed": _about_cells("mine"),
    "ways": _ways,
    "ways-together": _ways,
    # two clues
    "part": _part,
    "then-none-fits": _about_cells("safe"),
    "then-all-needed": _about_cells("mine"),
    # the number of mines
    "board-has": _about_count,
    "count-left": _about_count,
    "at-least-of-them": _at_least,
    "at-most-of-them": _at_least,
    "room": _at_least,
    "no-shared-cells": lambda clause: message("variant-no-shared-cells"),
    "none-for-others": lambda clause: message("variant-none-for-others"),
    "others-all-needed": lambda clause: message("variant-others-all-needed"),
    "no-mine-left": lambda clause: message("variant-no-mine-left"),
    "every-cell-needed": lambda clause: message("variant-every-cell-needed"),
    # suppositions and cases
    "suppose-mine": _as_classic,
    "suppose-safe": _as_classic,
    "clue-then-safe": _then,
    "clue-then-mines": _then,
    "broken": _then,
    "judged": _judge,
    "every-way-safe": _as_classic,
    "every-way-mines": _as_classic,
    "every-way-both": _both,
    # conclusions
    "so-safe": _as_classic,
    "so-mines": _as_classic,
    "so-both": _both,
}
