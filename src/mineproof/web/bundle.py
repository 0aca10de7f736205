"""Bundle the page: one script for the start, one for each other screen, one style sheet, in a folder with a version.

The sources in ``web/static`` are plain ES modules, which a browser can load one by one. It would then wait for a chain
of small files. `build_page` joins them without Node.js:

* ``app/main.js`` holds the entry, the first screen, and all that they import,
* ``app/screens/x.js`` holds what only that screen imports,
* ``app/shared.js`` holds what several screens import and the start does not,
* ``style.css`` holds every style sheet of ``index.html``, in its order.

A script that no module imports, such as a worker, stays a file of its own.

Comments and indentation are removed, and nothing is renamed. A module becomes a function that is called once and
returns its exports. Modules run in the order in which a browser would run them. Addresses stay relative, and all files
lie in one folder named after their contents: a browser may keep them for ever, and files of two versions never meet.

Only the forms of modules that the page uses are known. Any other form is a `BundleError`:

    import { a, b as c } from "./x.js";        export const a = …, export class A, export function a
    import * as x from "./x.js";               export { a, b as c };
    import "./x.js";                           export { a, b as c } from "./x.js";
    import("./x.js")                           import.meta.url

An export must not be assigned again (no ``export let``), and imports must not form a circle.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

ENTRY = "app/main.js"
FIRST_SCREEN = "app/screens/play.js"
SHARED = "app/shared.js"
STYLES = "style.css"
FIRST_PAGE = "index.html"
VERSION_LENGTH = 16  # hexadecimal digits


class BundleError(ValueError):
    """A source file has a form that the bundler does not know."""


# Comments, strings, templates and regular expressions

_HOLE = "\x00"  # stands around the number of a literal in the code
_PIECE = re.compile(
    r"""
    (?P<code>[^"'`/{}]+)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE_TEXT = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
# A slash after one of these begins a regular expression; after a name, a number or a bracket it divides.
_BEFORE_REGEX = re.compile(r"(?:^|[=(,:;!&|?{\[+\-*%~^<>]|\b(?:return|typeof|case|in|of|yield|await|do|else))\s*\Z")
_LINE_ENDS = re.compile(r"[ \t]*\n\s*")


class _Scanner:
    """Code without comments and indentation, in which each literal is a hole with its number."""

    def __init__(self, name: str, source: str) -> None:
        self._name, self._source = name, source
        self.literals: list[str] = []
        self.code, end = self._scan(0, in_template=False)
        if end != len(source):
            raise BundleError(f"{name}: expected no }}, got one without a {{")

    def restore(self, code: str) -> str:
        """Put the literals back into their holes."""
        return re.sub(f"{_HOLE}(\\d+){_HOLE}", lambda hole: self.literals[int(hole[1])], code)

    def _hole(self, literal: str) -> str:
        self.literals.append(literal)
        return f"{_HOLE}{len(self.literals) - 1}{_HOLE}"

    def _scan(self, start: int, *, in_template: bool) -> tuple[str, int]:
        """Return the code from here to the end, or to the brace that ends a place in a template."""
        out: list[str] = []
        depth, at = 0, start
        while at < len(self._source):
            piece = _PIECE.match(self._source, at)
            assert piece is not None
            kind, text = piece.lastgroup, piece[0]
            if kind == "comment":
                text = "\n" if "\n" in text else " "
            elif kind == "string":
                text = self._hole(text)
            elif text == "`":
                template, at = self._template(at)
                out.append(self._hole(template))
                continue
            elif text == "/":
                regex = _REGEX.match(self._source, at) if _BEFORE_REGEX.search("".join(out[-8:])) else None
                if regex:
                    out.append(self._hole(regex[0]))
                    at = regex.end()
                    continue
            elif text == "{":
                depth += 1
            elif text == "}":
                if depth == 0:
                    break
                depth -= 1
            elif kind == "other":
                raise BundleError(f"{self._name}: line {self._line(at)} has a string without an end")
            out.append(text)
            at = piece.end()
        if in_template and at == len(self._source):
            raise BundleError(f"{self._name}: line {self._line(start)} has a template without an end")
        return _LINE_ENDS.sub("\n", "".join(out)), at

    def _template(self, start: int) -> tuple[str, int]:
        out, at = ["`"], start + 1
        while True:
            text = _TEMPLATE_TEXT.match(self._source, at)
            assert text is not None
            out.append(text[0])
            at = text.end()
            if self._source.startswith("`", at):
                return "".join([*out, "`"]), at + 1
            if at >= len(self._source):
                raise BundleError(f"{self._name}: line {self._line(start)} has a template without an end")
            code, at = self._scan(at + 2, in_template=True)
            if re.search(r"(?<![.\w$])import\b", code):
                raise BundleError(f"{self._name}: line {self._line(start)} has an import inside a template")
            out += ["${", self.restore(code), "}"]
            at += 1

    def _line(self, at: int) -> int:
        return self._source.count("\n", 0, at) + 1


# Modules

_NAME = r"[A-Za-z_$][\w$]*"
_FROM = rf"\s*from\s*{_HOLE}(?P<from>\d+){_HOLE};?"
_NAMES = r"\{(?P<names>[^{}]*)\}"
_IMPORT = re.compile(rf"(?m)^import\s*(?:{_NAMES}{_FROM}|\*\s*as\s+(?P<all>{_NAME}){_FROM.replace('from>', 'from2>')}"
                     rf"|{_HOLE}(?P<bare>\d+){_HOLE};?)")  # fmt: skip
_EXPORT_NAMES = re.compile(rf"(?m)^export\s*{_NAMES}(?:{_FROM}|;)")
_EXPORT = re.compile(rf"(?m)^export\s+(?=(?:const|class|function\*?|async\s+function\*?)\s+(?P<name>{_NAME}))")
_DYNAMIC = re.compile(rf"(?<![.\w$])import\s*\(\s*{_HOLE}(?P<target>\d+){_HOLE}\s*\)")
_ADDRESS = re.compile(r"(?<![.\w$])import\.meta\.url\b")
_UNKNOWN = re.compile(r"(?<![.\w$])(?:import|export)\b(?!\s*:)[^\n]*")


@dataclass
class _Module:
    """One source file: its body as code with holes, what it imports, and what it exports."""

    name: str
    scanner: _Scanner
    body: str = ""
    imports: list[tuple[str, str]] = field(default_factory=list)  # what is bound (a pattern, a name, nothing), module
    exports: list[tuple[str, str]] = field(default_factory=list)  # name outside, expression inside
    dynamic: list[str] = field(default_factory=list)

    @property
    def targets(self) -> list[str]:
        """Modules that this one imports when it starts, each once."""
        return list(dict.fromkeys(target for _, target in self.imports))


def _resolve(module: str, specifier: str) -> str:
    if not specifier.startswith(("./", "../")):
        raise BundleError(f'{module}: expected a relative import such as "./x.js", got "{specifier}"')
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), specifier))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """Return "a, b as c" as (a, a), (b, c)."""
    for part in filter(None, (part.strip() for part in names.split(","))):
        name, _, alias = part.partition(" as ")
        yield name.strip(), (alias or name).strip()


def _parse(name: str, source: str) -> _Module:
    scanner = _Scanner(name, source)
    module = _Module(name, scanner)

    def specifier(hole: str) -> str:
        return _resolve(name, scanner.literals[int(hole)][1:-1])

    def on_import(found: re.Match[str]) -> str:
        if found["bare"]:
            module.imports.append(("", specifier(found["bare"])))
        elif found["all"]:
            module.imports.append((found["all"], specifier(found["from2"])))
        else:
            pairs = ", ".join(a if a == b else f"{a}: {b}" for a, b in _pairs(found["names"]))
            module.imports.append((f"{{ {pairs} }}", specifier(found["from"])))
        return ""

    def on_export_names(found: re.Match[str]) -> str:
        source_of = ""
        if found["from"]:
            target = specifier(found["from"])
            module.imports.append(("", target))
            source_of = f"{_HOLE}{target}{_HOLE}."  # `_write_script` knows the name of that module
        module.exports += [(outside, source_of + inside) for inside, outside in _pairs(found["names"])]
        return ""

    def on_export(found: re.Match[str]) -> str:
        module.exports.append((found["name"], found["name"]))
        return ""

    def on_dynamic(found: re.Match[str]) -> str:
        target = specifier(found["target"])
        module.dynamic.append(target)
        return f"{_HOLE}import {target}{_HOLE}"

    code = _IMPORT.sub(on_import, scanner.code)
    code = _EXPORT_NAMES.sub(on_export_names, code)
    code = _EXPORT.sub(on_export, code)
    code = _DYNAMIC.sub(on_dynamic, code)
    code = _ADDRESS.sub(f"{_HOLE}url{_HOLE}", code)
    if unknown := _UNKNOWN.search(re.sub(f"{_HOLE}[^{_HOLE}]*{_HOLE}", '""', code)):
        start = re.split(r"[\"'`]", unknown[0])[0].strip()
        line = next((n for n, text in enumerate(source.split("\n"), 1) if start in text), 0)
        raise BundleError(f"{name}: line {line} has a form of import or export that the bundler does not know: {start}")
    module.body = code.strip()
    return module


class _Graph:
    """The modules that an entry reaches."""

    def __init__(self, sources: Mapping[str, str], entry: str) -> None:
        self.modules: dict[str, _Module] = {}
        waiting = [entry]
        while waiting:
            name = waiting.pop()
            if name in self.modules:
                continue
            if name not in sources:
                importer = next((m.name for m in self.modules.values() if name in [*m.targets, *m.dynamic]), "the page")
                raise BundleError(f"{importer}: imports {name}, which does not exist")
            module = self.modules[name] = _parse(name, sources[name])
            waiting += [*module.targets, *module.dynamic]
        self._check_names()

    def _check_names(self) -> None:
        """Check that every name that is imported is exported, as a browser does."""
        exports = {name: {outside for outside, _ in module.exports} for name, module in self.modules.items()}
        for module in self.modules.values():
            for bound, target in module.imports:
                if bound.startswith("{"):
                    for name in (pair.split(":")[0].strip() for pair in bound.strip("{} ").split(",")):
                        if name and name not in exports[target]:
                            raise BundleError(f"{module.name}: imports {name} from {target}, which does not export it")

    def load_order(self, *starts: str) -> list[str]:
        """Return all that the starts import, themselves included, in the order in which a browser runs them."""
        done: dict[str, None] = {}
        path: list[str] = []

        def visit(name: str) -> None:
            if name in done:
                return
            if name in path:
                raise BundleError(f"Imports form a circle: {' → '.join([*path[path.index(name) :], name])}")
            path.append(name)
            for target in self.modules[name].targets:
                visit(target)
            path.pop()
            done[name] = None

        for start in starts:
            visit(start)
        return list(done)

    def screens(self, entry: str) -> list[str]:
        """Return the modules that are imported by need, in the order in which they are named."""
        names = [name for module in self.modules.values() for name in module.dynamic if name != entry]
        return sorted(set(names), key=names.index)


def bundle_scripts(sources: Mapping[str, str], entry: str = ENTRY, first: str = FIRST_SCREEN) -> dict[str, str]:
    """Join modules: return the scripts by name, the entry with ``first``, and one for each other dynamic import."""
    graph = _Graph(sources, entry)
    start = graph.load_order(entry, *([first] if first in graph.modules else []))
    inside = set(start)
    needs = {
        screen: [name for name in graph.load_order(screen) if name not in inside] for screen in graph.screens(entry)
    }
    needs = {screen: names for screen, names in needs.items() if screen not in inside}
    users: dict[str, int] = {}
    for name in (name for names in needs.values() for name in names):
        users[name] = users.get(name, 0) + 1
    shared = [name for name in graph.load_order(*needs) if users.get(name, 0) > 1]
    chunks = {entry: start}
    if shared:
        chunks[SHARED] = shared
    chunks |= {screen: [name for name in names if name not in set(shared)] for screen, names in needs.items()}
    home = {name: chunk for chunk, names in chunks.items() for name in names}
    numbers = {name: f"$m{number}" for number, name in enumerate(graph.modules)}
    written = {chunk: _write_script(graph, chunk, names, home, numbers) for chunk, names in chunks.items() if names}
    # A screen that another screen imports lives in the shared script.
    for screen in needs:
        if home[screen] == SHARED:
            outside = [name for name, _ in graph.modules[screen].exports]
            address = _relative(screen, SHARED)
            written[screen] = f'import {{ {numbers[screen]} }} from "{address}";\n' + "".join(
                f"export const {name} = {numbers[screen]}.{name};\n" for name in outside
            )
    return written | _workers(sources, graph)


def _workers(sources: Mapping[str, str], graph: _Graph) -> dict[str, str]:
    """Return the scripts that no module imports, such as workers. They stay files of their own."""
    alone = {name: text for name, text in sources.items() if name not in graph.modules}
    for name, text in alone.items():
        module = _parse(name, text)
        if module.imports or module.dynamic:
            raise BundleError(f"{name}: no module imports it, so it must not import others (a worker is one file)")
    return alone


def _relative(chunk: str, target: str) -> str:
    path = posixpath.relpath(target, posixpath.dirname(chunk))
    return path if path.startswith("../") else f"./{path}"


def _write_script(
    graph: _Graph, chunk: str, names: Iterable[str], home: Mapping[str, str], numbers: Mapping[str, str]
) -> str:
    """Return one script: its modules as functions that are called at once, and what other scripts may take."""
    names = list(names)
    outside: dict[str, list[str]] = {}
    for name in names:
        for target in graph.modules[name].targets:
            if home[target] != chunk:
                outside.setdefault(home[target], []).append(numbers[target])
    lines = [
        f'import {{ {", ".join(dict.fromkeys(taken))} }} from "{_relative(chunk, other)}";'
        for other, taken in outside.items()
    ]
    for name in names:
        module = graph.modules[name]
        bound = "".join(f"const {what} = {numbers[target]};\n" for what, target in module.imports if what)
        exported = ", ".join(
            a if a == b else f"{a}: {re.sub(f'{_HOLE}(.*?){_HOLE}', lambda hole: numbers[hole[1]], b)}"
            for a, b in module.exports
        )
        body = _links(graph, module, chunk, home, numbers)
        lines.append(
            f"const {numbers[name]} = (() => {{\n{bound}{body}\nreturn {{ __proto__: null, {exported} }};\n}})();"
        )
    own = graph.modules.get(chunk)
    if own is not None and chunk in names:
        lines += [f"export const {name} = {numbers[chunk]}.{name};" for name, _ in own.exports]
    lines.append(f"export {{ {', '.join(numbers[name] for name in names)} }};\n")
    return "\n".join(lines)


def _links(graph: _Graph, module: _Module, chunk: str, home: Mapping[str, str], numbers: Mapping[str, str]) -> str:
    """Return the body of a module with its literals, and with the addresses of the scripts that there are."""

    def link(hole: re.Match[str]) -> str:
        text = hole[1]
        if text == "url":
            address = _relative(chunk, module.name)
            return f'new URL("{address}", import.meta.url).href'
        if text.startswith("import "):
            target = text.removeprefix("import ")
            if home[target] == chunk:
                return f"Promise.resolve().then(() => {numbers[target]})"  # not before the whole script has run
            loading = f'import("{_relative(chunk, target)}")'
            if chunk == SHARED or SHARED not in {home[name] for name in graph.load_order(target)} - {home[target]}:
                return loading
            # Both at once: the screen would ask for the shared script only after it has arrived.
            return f'Promise.all([{loading}, import("{_relative(chunk, SHARED)}")]).then(([screen]) => screen)'
        return module.scanner.literals[int(text)]

    return re.sub(f"{_HOLE}(.*?){_HOLE}", link, module.body)


# Style sheets and the first page

_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="(?:/?static/)?([^"]+)">\n?')
_PRELOAD_LINK = re.compile(r'<link rel="modulepreload"[^>]*>\n?')
_STYLE_PIECE = re.compile(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)
_STYLE_ADDRESS = re.compile(r"""\burl\(\s*(["']?)(?!data:|https?:|/|#)([^"')]+)\1\s*\)""")


def join_styles(styles: Mapping[str, str], names: Iterable[str]) -> str:
    """Join style sheets in this order, without comments and indentation. Addresses in them stay right."""
    joined = []
    for name in names:
        if name not in styles:
            raise BundleError(f"{FIRST_PAGE}: names the style sheet {name}, which does not exist")
        text = _STYLE_PIECE.sub(lambda piece: "" if piece[0].startswith("/*") else piece[0], styles[name])
        if re.search(r"@(?:import|charset)\b", text):
            raise BundleError(f"{name}: style sheets are joined, so @import and @charset are not allowed")
        text = _STYLE_ADDRESS.sub(partial(_move_address, posixpath.dirname(name)), text)
        joined.append(_LINE_ENDS.sub("\n", text).strip())
    return "\n".join(filter(None, joined)) + "\n"


def _move_address(folder: str, found: re.Match[str]) -> str:
    return f'url("{posixpath.normpath(posixpath.join(folder, found[2]))}")'


class BuiltPage(NamedTuple):
    """The first page, and every other file in the folder of its version: ``static/1f2e3d…/app/main.js``."""

    version: str
    first_page: str
    files: dict[str, bytes]


def build_page(contents: Mapping[str, bytes], place: str = "static/") -> BuiltPage:
    """Bundle the files of the page. ``place`` is where they lie, as seen from the first page."""
    page = contents[FIRST_PAGE].decode()
    names = _STYLE_LINK.findall(page)
    scripts = {name: content.decode() for name, content in contents.items() if name.endswith(".js")}
    styles = {name: content.decode() for name, content in contents.items() if name.endswith(".css")}
    bundled = bundle_scripts(scripts) if ENTRY in scripts else {}
    files = {name: content for name, content in contents.items() if not name.endswith((".js", ".css", ".html"))}
    files |= {name: text.encode() for name, text in bundled.items()}
    if names:
        files[STYLES] = join_styles(styles, names).encode()
    version = _hash(files)
    page = _STYLE_LINK.sub("", _PRELOAD_LINK.sub("", page))
    page = re.sub(r'(href|src)="/?static/', rf'\1="{place}{version}/', page)
    if names:
        page = page.replace("<script", f'<link rel="stylesheet" href="{place}{version}/{STYLES}">\n<script', 1)
    page = page.replace("<html", f'<html data-version="{version}"', 1)
    return BuiltPage(version, page, {f"{version}/{name}": content for name, content in files.items()})


def _hash(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(b"%s\0%d\0" % (name.encode(), len(files[name])) + files[name])
    return digest.hexdigest()[:VERSION_LENGTH]
