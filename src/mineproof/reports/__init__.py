"""Reports: the results of a sweep as tables, plots and an HTML page.

Numbers come from the sums of a sweep and, if single games were stored, from one pass over them. A report plays no games
and does not change the folder of the run. Tables need neither pyarrow nor matplotlib.
"""
