"""Fixed work with a signature: the same answers and the same effort on every machine, then the speed of this one."""
