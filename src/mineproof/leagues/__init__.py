"""Leagues: several strategies and bots play the same layouts, with a table, plots and a folder that a run can resume.

`league` plays, `results` has the table, `page` makes one HTML page. The games are those of `simulation`.
"""
