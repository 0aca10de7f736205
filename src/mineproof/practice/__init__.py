"""Positions to practise on, out of real games: found, proved to need what they are said to need, judged and rated.

What a technique is, what is certain and what wins most is asked of the rooms before; what is kept goes through
`mineproof.history.store`, which has all the SQL. No rule of the game belongs here, no way of finding certain cells, and
nothing that draws, asks or prints. The only rooms that may import it are those for people.
"""
