"""Every sentence of the library, the terminal and the page: message catalogues, and the code that fills them in.

One file per language (`en.po`, `de.po`) holds all texts under stable keys. No search, no counting and no drawing
happens here: other rooms pass data (cells, numbers, arguments) and get a sentence back.
"""
