// Compiles the Python files of a folder with the runtime's own compiler, and removes the sources.
//
//   node tools/static_site/compile.mjs FOLDER [LEVEL]      LEVEL is that of python -O, 0 to 2
import { loadPyodide } from "../../site/node_modules/pyodide/pyodide.mjs";

const [folder, level = "0"] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.mkdirTree("/packages");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/packages");
python.runPython(`
import py_compile
from pathlib import Path

for path in sorted(Path("/packages").rglob("*.py")):
    py_compile.compile(
        str(path), str(path.with_suffix(".pyc")), dfile=str(path), doraise=True, optimize=${Number(level)},
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    path.unlink()
`);
