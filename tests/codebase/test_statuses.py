"""The exit statuses that scripts rely on."""

import mineproof as mp
from mineproof import errors

PROMISED = {
    "syntax": 3,  # the input cannot be read as a board
    "contradiction": 4,  # no layout fits
    "illegal-move": 2,  # bad usage
    "outside": 2,  # a cell that is not on the board
    "budget": 5,
    "no-engine": 2,  # as with any wrong set-up: nothing was asked of the board yet
    "certificate": 1,  # the answer is no: it proves nothing
    "history": 2,  # a file that cannot be used, as with any other
    "sweep": 2,  # nor a folder
    "bot": 2,  # nor a program
    "dataset": 2,
}


def error_classes(base: type[errors.MineproofError]) -> set[type[errors.MineproofError]]:
    own = {each for each in base.__subclasses__() if each.__module__.startswith("mineproof.")}  # tests define some, too
    return own.union(*map(error_classes, own))


def test_exit_statuses_are_the_promised_ones() -> None:
    assert {code: status.exit for code, status in errors.STATUS.items()} == PROMISED


def test_every_error_has_a_code_with_a_status() -> None:
    assert mp.CertificateError.code in errors.STATUS  # the one that is not defined in errors
    assert {each.code for each in error_classes(errors.MineproofError)} == set(errors.STATUS)
