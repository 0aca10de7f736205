"""Arguments in sentences: one short sentence for each clause, in the current language and with its cell labels.

Every kind of clause has one function here, which chooses the message and fills in its fields. The texts are in the
section "deductions" of the catalogues, under ``argument-`` and the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mineproof.wording.catalogue import has_message, listing, message, number, plural, sentence
from mineproof.wording.cells import CellRole, cell_label, cell_phrase, number_label
from mineproof.wording.clauses import ARGUMENT, CASE, PATTERN_PREFIX, TEXT, Clause, NumberAt

PATTERNS = ("1-1", "1-2", "1-2-1", "1-2-2-1", "mine-count")
MAX_NAMED_NUMBERS = 12  # of one clause; of more, the rest is counted
MAX_NAMED_MINES = 3  # of mines that a hint takes for granted

Renderer = Callable[[Clause], str]


def render_argument(argument: Clause) -> str:
    """Return an argument in the current language.

    >>> needs = Clause("needs", ((0, 1),), (NumberAt((0, 0), 1),), 1)
    >>> render_argument(Clause("argument", parts=(needs, Clause("so-mines", ((0, 1),)))))
    'The 1 at (0,0) needs 1 mine at (0,1). So (0,1) is a mine.'
    """
    if argument.kind != ARGUMENT:
        return render_clause(argument)
    parts = argument.parts
    is_list = sum(part.kind == CASE for part in parts) > 1  # each case, and what follows from all, on a line of its own
    text = ""
    for place, part in enumerate(parts):
        if said := _render_in_context(part, parts[:place]):
            starts_line = is_list and (part.kind == CASE or parts[place - 1].kind == CASE)
            text += ("\n" if starts_line else " ") + said if text else said
    return text


def _render_in_context(clause: Clause, before: tuple[Clause, ...]) -> str:
    """Render a clause after others, without the cells that they have just named."""
    if clause.kind in ("at-least", "at-most"):
        if len(before) > 1 and before[-2] == replace(clause, kind=f"so-{clause.kind}"):
            return ""  # the conclusion of the step before, which this step starts from
        if before and before[-1].kind == "other-cells" and before[-1].cells == clause.cells and len(clause.cells) > 1:
            return plural("argument-at-least-of-those", _count_of(clause), cells=_named_cells(clause))
    return " ".join([*_lead_in(clause, before), render_clause(clause)])


def _lead_in(clause: Clause, before: tuple[Clause, ...]) -> Iterator[str]:
    """Yield a sentence that leads from the clauses before to this one, where one is needed."""
    kinds = [part.kind for part in before]
    match clause.kind:
        case "so-safe" if _takes_all(before):
            yield _about_number(Clause("needs-no-other", numbers=before[-3].numbers))
        case "combine" if "combine" not in kinds:
            yield message("argument-as-sums")
        case "so-safe" | "so-mines" | "so-both" if kinds[-1:] == ["leaves-equation"] and len(before[-1].parts) > 1:
            yield message("argument-only-one-way", count=number(_count_of(before[-1])))
        case "sum-at-most" | "sum-never" if kinds[-1:] != ["others-can-be-mines"]:
            yield message("argument-no-other-cells")
        case "around-at-least" if kinds[-1:] != ["others-can-be-mines"]:
            yield _about_numbers(Clause("others-are-around", numbers=clause.numbers))


def _takes_all(before: tuple[Clause, ...]) -> bool:
    """Do the last clauses say that some cells have all the mines that a number needs?"""
    kinds = [part.kind for part in before]
    if kinds[-3:] != ["needs", "other-cells", "at-least"] or kinds[-4:-3] in (["needs"], ["again"]):
        return False  # after another number, this number is a part of that one
    return before[-3].count == before[-1].count


def render_clause(clause: Clause) -> str:
    """Return one clause with its parts as one or more sentences.

    Raises ValueError for a kind that does not exist and for a clause that lacks what its kind is about.
    """
    try:
        renderer = RENDERERS[clause.kind]
    except KeyError:
        raise ValueError(f"unknown kind of clause: {clause.kind!r}") from None
    try:
        return renderer(clause)
    except (LookupError, TypeError) as error:
        raise ValueError(f"incomplete clause of kind {clause.kind!r}: {error}") from None


# fields


def _number_names(places: Sequence[NumberAt]) -> str:
    names = [number_label(place) for place in places]
    if len(names) > MAX_NAMED_NUMBERS + 1:
        rest = len(names) - MAX_NAMED_NUMBERS
        names = [*names[:MAX_NAMED_NUMBERS], plural("argument-more-numbers", rest)]
    return listing(names)


def _count_of(clause: Clause) -> int:
    if clause.count is None:
        raise TypeError("count is missing")
    return clause.count


def _named_cells(clause: Clause) -> str:
    if not clause.cells:
        raise TypeError("cells are missing")
    return cell_phrase(clause.cells, _role_of_cells(clause.kind))


def _role_of_cells(kind: str) -> CellRole:
    """What a clause says about its cells: that they are safe, mines, supposed to be one of these, or nothing yet."""
    if kind.startswith(("suppose-", "if-")):
        return "suppose"
    if kind.endswith(("safe", "all-placed", "wrong-flag")):
        return "safe"
    return "mine" if kind.endswith(("mines", "all-needed")) else "cell"


def _state_of_cells(clause: Clause) -> str:
    """Return ``(1,1) is safe``, a clause without a full stop."""
    key = "argument-cells-safe" if clause.kind.endswith("safe") else "argument-cells-mines"
    return plural(key, len(clause.cells), cells=_named_cells(clause))


# one function for each form of clause


def _without_fields(clause: Clause) -> str:
    return message(f"argument-{clause.kind}")


def _pattern(clause: Clause) -> str:
    """Name a pattern; with a count, known mines must be subtracted from its numbers first."""
    if clause.count is None:
        return message(clause.kind)
    return plural("pattern-without-known-mines", clause.count, pattern=clause.kind.removeprefix(PATTERN_PREFIX))


def _about_cells(clause: Clause) -> str:
    return sentence(plural(f"argument-{clause.kind}", len(clause.cells), cells=_named_cells(clause)))


def _about_count(clause: Clause) -> str:
    count = _count_of(clause)
    none = f"argument-{clause.kind}-none"
    if count == 0 and has_message(none):
        return message(none)
    return plural(f"argument-{clause.kind}", count)


def _about_number(clause: Clause) -> str:
    return sentence(message(f"argument-{clause.kind}", number=number_label(clause.numbers[0])))


def _about_number_and_count(clause: Clause) -> str:
    name = number_label(clause.numbers[0])
    if clause.count == 0:
        return sentence(message(f"argument-{clause.kind}-none", number=name))
    return sentence(plural(f"argument-{clause.kind}", _count_of(clause), number=name))


def _about_numbers(clause: Clause) -> str:
    return sentence(message(f"argument-{clause.kind}", numbers=_number_names(clause.numbers)))


def _about_numbers_and_cells(clause: Clause) -> str:
    names, cells = _number_names(clause.numbers), _named_cells(clause)
    return sentence(plural(f"argument-{clause.kind}", len(clause.cells), numbers=names, cells=cells))


def _about_numbers_and_count(clause: Clause) -> str:
    return sentence(plural(f"argument-{clause.kind}", _count_of(clause), numbers=_number_names(clause.numbers)))


def _about_cells_and_count(clause: Clause) -> str:
    return sentence(plural(f"argument-{clause.kind}", _count_of(clause), cells=_named_cells(clause)))


def _about_everything(clause: Clause) -> str:
    names, cells = _number_names(clause.numbers), _named_cells(clause)
    return sentence(plural(f"argument-{clause.kind}", _count_of(clause), numbers=names, cells=cells))


def _known_mines(clause: Clause) -> str:
    """Name mines without flags; of many, the first ones."""
    if len(clause.cells) <= MAX_NAMED_MINES:
        return _about_cells(clause)
    first = _named_cells(replace(clause, cells=clause.cells[:MAX_NAMED_MINES]))
    return plural("argument-known-mines-among", len(clause.cells), cells=first)


def _has_mines(clause: Clause) -> str:
    place = clause.numbers[0]
    return sentence(plural("argument-has-mines", place.value, number=number_label(place), cells=_named_cells(clause)))


def _needs(clause: Clause) -> str:
    """Render what a number needs: ``needs`` if none of its mines is known, else ``needs more``."""
    place, count = clause.numbers[0], _count_of(clause)
    name = number_label(place)
    if count == 0:
        return sentence(message("argument-needs-none" if place.value else "argument-touches-no-mine", number=name))
    key = "argument-needs" if count == place.value else "argument-needs-more"
    if not clause.cells:
        return sentence(plural(key, count, number=name))
    key += "-at" if len(clause.cells) == 1 else "-among"
    return sentence(plural(key, count, number=name, cells=_named_cells(clause)))


def _shares(clause: Clause) -> str:
    """Render cells that the number before also has: the other number limits their mines."""
    place, count = clause.numbers[0], _count_of(clause)
    name, cells = number_label(place), _named_cells(clause)
    if count == 0:
        return message("argument-shares-none" if place.value else "argument-shares-zero", number=name, cells=cells)
    key = "argument-shares" if count == place.value else "argument-shares-more"
    return plural(key, count, number=name, cells=cells)


def _other_cells(clause: Clause) -> str:
    place = clause.numbers[0]
    if place.need is None:
        raise TypeError("need is missing")
    fields = {"number": number_label(place), "need": number(place.need), "cells": _named_cells(clause)}
    key = "argument-other-cells" if place.need == place.value else "argument-other-cells-more"
    return sentence(plural(key, _count_of(clause), **fields))


def _conclusion(clause: Clause) -> str:
    if clause.count is not None:
        return plural(f"argument-{clause.kind}-others", clause.count)
    return _about_cells(clause)


def _then_safe(clause: Clause) -> str:
    place = clause.numbers[0]
    key = "argument-then-safe-one" if place.value == 1 else "argument-then-safe"
    return plural(key, len(clause.cells), number=number_label(place), cells=_named_cells(clause))


def _then_mines(clause: Clause) -> str:
    name = number_label(clause.numbers[0])
    return plural("argument-then-mines", len(clause.cells), number=name, cells=_named_cells(clause))


def _takes(clause: Clause) -> str:
    """Render how many of the mines some linked numbers need."""
    key = "list-or" if clause.kind == "takes-one-of" else "list-and"
    counts = [_count_of(part) for part in clause.parts] if clause.parts else [_count_of(clause)]
    amount = listing([number(count) for count in counts], key)
    names = _number_names(clause.numbers)
    return sentence(plural(f"argument-{clause.kind}", len(clause.numbers), numbers=names, amount=amount))


def _case(clause: Clause) -> str:
    """Render one case: its number, what is assumed, then what follows."""
    assumed = [part for part in clause.parts if part.kind in ("if-mines", "if-safe")]
    condition = listing([_state_of_cells(part) for part in assumed])
    lead = message("argument-case", count=number(_count_of(clause)), condition=condition)
    follows = [render_clause(part) for part in clause.parts if part not in assumed]
    return " ".join([lead, *follows])


def _if(clause: Clause) -> str:
    return sentence(_state_of_cells(clause)) + "."


def _so_both(clause: Clause) -> str:
    mines, safe = clause.parts
    return message("argument-so-both", mines=_state_of_cells(mines), safe=_state_of_cells(safe))


def _combine(clause: Clause) -> str:
    added = [_multiple(part) for part in clause.parts if part.kind == "add"]
    subtracted = [_multiple(part) for part in clause.parts if part.kind == "subtract"]
    if not added:
        raise TypeError("no number is added")
    if not subtracted:
        key = "argument-combine-add" if len(added) > 1 else "argument-combine-one"
        return message(key, added=listing(added))
    key = "argument-combine-subtract" if len(added) == 1 else "argument-combine-both"
    return message(key, added=listing(added), subtracted=listing(subtracted))


def _multiple(clause: Clause) -> str:
    """Return a number of an equation, with what it needs if some of its mines are known, and how often it counts."""
    place = clause.numbers[0]
    name = number_label(place)
    if place.need is not None:
        name = message("argument-number-need", number=name, need=number(place.need))
    times = _count_of(clause)
    if times == 1:
        return name
    return message("argument-twice" if times == 2 else "argument-times", number=name, times=number(times))


def _equation(clause: Clause) -> str:
    terms = ""
    for term in clause.parts:
        times = _count_of(term)
        sign = " − " if times < 0 else " + " if terms else ""
        terms += f"{sign}{'' if abs(times) == 1 else f'{abs(times)}·'}{cell_label(term.cells[0])}"
    return message("argument-leaves-equation", equation=f"{terms} = {_count_of(clause)}")


RENDERERS: dict[str, Renderer] = {
    ARGUMENT: render_argument,
    TEXT: lambda clause: clause.text,
    **dict.fromkeys((f"{PATTERN_PREFIX}{name}" for name in PATTERNS), _pattern),
    # one number
    "has-mines": _has_mines,
    "needs": _needs,
    "only-cells": _about_cells,
    "again": _about_number,
    # numbers that share cells
    "shares": _shares,
    "other-cells": _other_cells,
    "at-most": _about_cells_and_count,
    "at-least": _about_cells_and_count,
    "together-leave": _about_everything,
    "together-at-most": _about_everything,
    "together-at-least": _about_everything,
    "together-safe": _about_numbers_and_cells,
    "together-mines": _about_numbers_and_cells,
    # equations
    "combine": _combine,
    "add": _multiple,
    "subtract": _multiple,
    "leaves-equation": _equation,
    "term": lambda clause: cell_label(clause.cells[0]),
    # suppositions and cases
    "suppose-mine": _about_cells,
    "suppose-safe": _about_cells,
    "then-safe": _then_safe,
    "then-mines": _then_mines,
    "then-all-placed": _about_cells,
    "then-all-needed": _about_cells,
    "too-many": _about_number_and_count,
    "too-few": _about_number_and_count,
    "total-too-many": _about_count,
    "total-too-few": _about_count,
    CASE: _case,
    "if-mines": _if,
    "if-safe": _if,
    "ways": _about_numbers_and_count,
    "no-short-argument": _without_fields,
    # the mine count
    "board-has": _about_count,
    "count-left": _about_count,
    "cells-left": _about_count,
    "need-together": _about_count,
    "rest-are-mines": _about_count,
    "all-used": _without_fields,
    "all-used-together": _about_count,
    "takes-exactly": _takes,
    "takes-at-least": _takes,
    "takes-at-most": _takes,
    "takes-one-of": _takes,
    "count": lambda clause: number(_count_of(clause)),
    "others-can-be-mines": _about_count,
    "mines-elsewhere": _about_count,
    "around-at-most": _about_numbers_and_count,
    "around-at-least": _about_numbers_and_count,
    "all-around": _about_numbers,
    "leaves-mines": _about_count,
    "sum-at-least": _about_count,
    "sum-at-most": _about_count,
    "sum-never": _about_count,
    # conclusions
    "is-safe": _about_cells,
    "is-mines": _about_cells,
    "so-safe": _conclusion,
    "so-mines": _conclusion,
    "so-all-safe": _about_count,
    "so-all-mines": _about_count,
    "so-both": _so_both,
    "so-at-most": _about_cells_and_count,
    "so-at-least": _about_cells_and_count,
    "both-cases-safe": _about_cells,
    "both-cases-mines": _about_cells,
    "every-way-safe": _about_cells,
    "every-way-mines": _about_cells,
    "only-new": _about_cells,
    # what a hint adds to a step
    "known-mines": _known_mines,
    "wrong-flag": _about_cells,
}
