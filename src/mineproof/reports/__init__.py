"""Reports: what a sweep found as tables, plots and a page to be read.

Numbers come from the sums of a sweep and, where single games were kept, from one reading of them. Nothing is played
here, and nothing in the folder of the run is changed. Tables need neither pyarrow nor matplotlib.
"""
