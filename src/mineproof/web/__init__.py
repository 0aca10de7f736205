"""The HTTP API and the web page: questions and games as JSON, for browsers and programs.

`routes` lists every route once: both the server and the OpenAPI document (`openapi`) are made from it. `requests`
defines request bodies, `answers` the responses. `games` has the games in progress, stored by `store`. `pool` runs the
work, `guard` rejects requests before anything is read, `app` connects the parts, and `server` is the process. Responses
are the JSON of the commands.

This room has no rules of the game, no techniques, no computed numbers and no JSON shapes that another room could make:
they belong to the other rooms. Starlette and uvicorn are imported only here, and only the command `serve` imports this
room.
"""
