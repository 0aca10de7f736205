"""The bundler of the page: the forms of modules that it knows, those it refuses, and that the page stays the same."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mineproof.web.bundle import ENTRY, FIRST_SCREEN, SHARED, BundleError, build_page, bundle_scripts, join_styles
from mineproof.web.pages import page_files, write_page
from support.patience import PATIENCE

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node.js")


def run(scripts: dict[str, str], folder: Path, name: str = ENTRY) -> Any:
    """Import a script in Node.js; what its export `result` holds."""
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    for path, text in scripts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (folder / "run.js").write_text(
        f'const {{ result }} = await import("./{name}");\nprocess.stdout.write(JSON.stringify(await result));'
    )
    assert NODE is not None
    done = subprocess.run([NODE, str(folder / "run.js")], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SOURCES = {
    "app/main.js": """
/** A comment with import x from "y" and `ticks`. */
import { twice, NAME as name } from "./board/part.js";
import * as Part from "./board/part.js";
import {
  order,
} from "./order.js";
import "./effect.js";
// export default nothing
const slash = 6 / 2 / 3, words = "no // comment", pattern = /["'`/]\\/[/"]/.test("'/\\"");
const text = `a ${twice(`b${1 + 1}${{ a: "}" }.a}`)} // ${name}
  import { kept } from "./indented.js";`;
export const result = (async () => [
  slash, words, pattern, text, Part.twice(2), Part.NAME, order,
  (await import("./screens/play.js")).create(), (await import("./screens/a.js")).create(),
  (await import("./screens/b.js")).create(), new URL(Part.place).pathname.endsWith("/app/board/part.js"),
])();
""",
    "app/board/part.js": """import { order } from "../order.js";
order.push("part");
export function twice(x) { return x + x; }
export const NAME = "part", SECOND = 2;
export const place = import.meta.url;
""",
    "app/order.js": 'export const order = ["order"];\n',
    "app/effect.js": 'import { order } from "./order.js";\norder.push("effect");\n',
    "app/screens/play.js": """import { twice as double } from "../board/part.js";
export const create = () => double("play");
""",
    "app/screens/a.js": """import { common } from "../panels/common.js";
import { only as lonely } from "../panels/only.js";
export const create = () => common("a") + lonely;
""",
    "app/screens/b.js": """import { common } from "../panels/common.js";
import { create as other } from "./a.js";
export async function create() { return common("b") + other() + (await import("./a.js")).create(); }
""",
    "app/panels/common.js": """import { twice } from "../board/part.js";
const hidden = (x) => twice(x);
export { hidden as common };
export { NAME as again } from "../board/part.js";
""",
    "app/panels/only.js": "export class Only {}\nexport const only = new Only().constructor.name;\n",
}  # fmt: skip


@needs_node
def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    expected = run(SOURCES, tmp_path / "sources")
    bundled = bundle_scripts(SOURCES)
    assert run(bundled, tmp_path / "bundled") == expected
    assert expected[6] == ["order", "part", "effect"]
    assert expected[-1] is True


def test_the_start_is_one_script_and_nothing_is_there_twice() -> None:
    bundled = bundle_scripts(SOURCES)
    assert set(bundled) == {ENTRY, SHARED, "app/screens/a.js", "app/screens/b.js"}
    joined = "".join(bundled.values())
    for mark in ('order.push("part")', 'double("play")', "class Only"):
        assert joined.count(mark) == 1
    assert 'double("play")' in bundled[ENTRY]
    assert 'Promise.all([import("./screens/b.js"), import("./shared.js")])' in bundled[ENTRY]
    assert "comment with" not in joined
    assert "no // comment" in joined


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('import part from "./part.js";', "line 2 has a form of import or export that the bundler does not know"),
        ('export * from "./part.js";', "does not know: export *"),
        ("export default 1;", "does not know: export default"),
        ("export let x = 1;", "does not know: export let x"),
        ("export const { a, b } = {};", "does not know: export const"),
        ("const load = (name) => import(name);", "does not know"),
        ('import { missing } from "./part.js";', "imports missing from app/part.js, which does not export it"),
        ('import { x } from "./nowhere.js";', "imports app/nowhere.js, which does not exist"),
        ('import { x } from "package";', 'expected a relative import such as "./x.js", got "package"'),
        ('import { y } from "./circle.js";', "Imports form a circle: app/main.js → app/circle.js → app/main.js"),
        ("const x = `open", "line 2 has a template without an end"),
        ("const x = `${1", "has a template without an end"),
        ("const x = 'open", "line 2 has a string without an end"),
        ("}", "expected no }"),
        ("const x = `${import('./part.js')}`;", "has an import inside a template"),
    ],
)  # fmt: skip
def test_other_forms_are_refused(line: str, reason: str) -> None:
    sources = {
        ENTRY: f"// one\n{line}\n",
        "app/part.js": "export const part = 1;\n",
        "app/circle.js": 'import "./main.js";\nexport const y = 1;\n',
    }
    with pytest.raises(BundleError, match=re.escape(reason)):
        bundle_scripts(sources)


def test_names_that_only_look_like_modules_stay() -> None:
    bundled = bundle_scripts({ENTRY: "const api = { import: 1, export: 2 };\nvoid [api.import, api.export];\n"})
    assert "{ import: 1, export: 2 }" in bundled[ENTRY]


def test_a_worker_stays_a_file() -> None:
    worker = "onmessage = () => postMessage(1);\n"
    sources = {ENTRY: 'new Worker(new URL("./worker.js", import.meta.url));\n', "app/worker.js": worker}
    assert bundle_scripts(sources)["app/worker.js"] == worker
    with pytest.raises(BundleError, match="a worker is one file"):
        bundle_scripts(sources | {"app/worker.js": 'import "./main.js";\n'})


def test_styles_are_joined_in_order_and_find_their_pictures() -> None:
    styles = {
        "style.css": '/* first */\na {\n  content: "/* kept */";\n}\n',
        "styles/play.css": "b {\n  background: url(../icon.svg), url('mine.png'), url(data:x);\n}\n",
        "styles/empty.css": "/* nothing yet */\n",
    }
    joined = join_styles(styles, ["styles/play.css", "styles/empty.css", "style.css"])
    assert joined == (
        'b {\nbackground: url("icon.svg"), url("styles/mine.png"), url(data:x);\n}\na {\ncontent: "/* kept */";\n}\n'
    )
    with pytest.raises(BundleError, match=re.escape("style sheet gone.css, which does not exist")):
        join_styles(styles, ["gone.css"])
    with pytest.raises(BundleError, match="@import"):
        join_styles({"a.css": '@import "b.css";'}, ["a.css"])


@pytest.mark.slow
def test_a_change_of_any_file_is_another_version() -> None:
    contents = page_files()
    version = build_page(contents).version
    assert build_page(dict(reversed(contents.items()))).version == version
    for name in ("style.css", "app/screens/review.js", "messages/de.json", "icon.svg"):
        assert build_page(contents | {name: contents[name] + b"\n/**/;x{}"}).version != version, name


def test_the_page_is_few_files() -> None:
    built = build_page(page_files())
    names = [name.removeprefix(f"{built.version}/") for name in built.files]
    assert [name for name in names if name.endswith(".css")] == ["style.css"]
    assert {"app/main.js", "app/screens/analyse.js"} <= set(names)
    assert FIRST_SCREEN not in names, "it is part of the start"
    assert not re.search(r'"/?static/(?!' + built.version + ")", built.first_page)


@pytest.mark.slow
@needs_node
def test_the_scripts_of_the_page_can_be_parsed(tmp_path: Path) -> None:
    """Node.js parses them without running them: the scanner took no regular expression or template apart."""
    write_page(tmp_path)
    scripts = sorted((tmp_path / "static").rglob("*.js"))
    assert len(scripts) > 5
    for script in scripts:
        module = script.rename(script.with_suffix(".mjs"))
        done = subprocess.run(
            [str(NODE), "--check", str(module)], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
    assert 'href="static/' in (tmp_path / "index.html").read_text("utf-8"), "addresses are relative"
