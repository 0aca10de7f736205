// Runs a Python file with the packages of the site, in Node.js: what it prints goes to stdout.
//
//   node tools/static_site/node.mjs FILE [FOLDER]      FOLDER is there as /folder
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "../../site/node_modules/pyodide/pyodide.mjs";

const [file, folder] = process.argv.slice(2);
const part = (name) => fileURLToPath(new URL(`../../build/site-parts/${name}`, import.meta.url));
const python = await loadPyodide({ stdLibURL: part("python_stdlib.zip") });
const packages = readFileSync(part("packages.tar.gz"));
python.unpackArchive(new Uint8Array(packages), "gztar", { extractDir: "/packages" });
if (folder) {
  python.FS.mkdirTree("/folder");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/folder");
}
python.runPython("import sys; sys.path.insert(0, '/packages')");
try {
  await python.runPythonAsync(readFileSync(file, "utf8"));
} catch (error) {
  process.stderr.write(`${error.message}\n`); // not the source line, which is all of the runtime
  process.exitCode = 1;
}
