/**
 * Starts Python, with the packages of the site. The first start of a version makes a snapshot of its memory after all
 * imports, and the browser keeps it. Each later start copies that memory instead of importing again. No game is in it.
 *
 * The functions and data of native modules must be where the snapshot has them. So each start loads these modules in the
 * same order before Python begins. `layout` says where the next one would be: a snapshot with another layout is not used.
 *
 * @typedef {object} Snapshot
 * @property {ArrayBuffer} memory as `makeMemorySnapshot` returns it
 * @property {string} layout
 * @property {[handle: string, name: string][]} handles of native modules that Python has opened
 *
 * @typedef {object} Start
 * @property {any} python the interface of the runtime, which has no types here
 * @property {any} page the module `mineproof_page`
 * @property {boolean} isRestored from a snapshot
 * @property {() => Promise<void>} keep the snapshot, if one was made
 */
import { readArchive } from "./archive.js";

const FOLDER = new URL(".", import.meta.url).href; // named after the version of everything in it
const PACKAGES = "/packages";
const LATER = "_kernel_wide"; // a native module that few boards need
const STORE = `snapshot of ${new URL("../..", FOLDER).pathname}`; // of this site
const ADDRESS = `${FOLDER}snapshot?${encodeURIComponent(navigator.userAgent)}`; // other browsers have other layouts
const HEADER = "x-snapshot";

/** Start Python. @param {boolean} makesSnapshot if there is none @param {(step: number) => void} told of steps 2 and 3 @returns {Promise<Start>} */
export async function startPython(makesSnapshot, told) {
  const files = load("packages.tar.gz").then(readArchive);
  files.catch(() => {}); // the error is thrown where the files are awaited
  const snapshot = await readSnapshot();
  const isFirst = makesSnapshot && "caches" in globalThis;
  if (snapshot) {
    try {
      const { python } = await startRuntime({ _loadSnapshot: snapshot.memory }, files, told, snapshot);
      return { python, page: python.pyimport("mineproof_page"), isRestored: true, keep: async () => {} };
    } catch {
      await dropSnapshot();
    }
  }
  const { python, runtime, layout } = await startRuntime({ _makeSnapshot: isFirst }, files, told, null);
  told(3);
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  const page = python.pyimport("mineproof_page");
  const fresh = isFirst ? { memory: python.makeMemorySnapshot(), layout, handles: handlesOf(runtime) } : null;
  return { python, page, isRestored: false, keep: async () => void (fresh && (await storeSnapshot(fresh))) };
}

/** Forget the snapshot: the next start begins without one. */
export const dropSnapshot = async () => void (await globalThis.caches?.delete(STORE));

/** Write the files of an archive where Python finds them. @param {any} fs @param {Map<string, Uint8Array>} files */
export function writeFiles(fs, files) {
  for (const [name, content] of files) {
    const path = `${PACKAGES}/${name}`;
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, content, { canOwn: true });
  }
}

/** A file beside this one. @param {string} name @returns {Promise<ArrayBuffer>} */
export async function load(name) {
  const response = await fetch(FOLDER + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

/**
 * @param {object} options of the runtime @param {Promise<Map<string, Uint8Array>>} archive
 * @param {(step: number) => void} told @param {Snapshot | null} snapshot
 */
async function startRuntime(options, archive, told, snapshot) {
  const [{ loadPyodide }, { default: createModule }] = await Promise.all([
    import(`${FOLDER}pyodide.mjs`),
    import(`${FOLDER}pyodide.asm.mjs`),
  ]);
  /** @type {any} */
  let runtime = null;
  let layout = "";
  const addPackages = async (/** @type {any} */ created) => {
    created.addRunDependency(PACKAGES);
    const files = await archive;
    told(2);
    writeFiles(created.FS, files);
    created.onRuntimeInitialized = () => void (layout = loadModules(created, files));
    created.removeRunDependency(PACKAGES);
  };
  const createPyodideModule = async (/** @type {any} */ settings) => {
    settings.preRun.push(addPackages);
    runtime = await createModule(settings);
    if (snapshot) makeRoom(runtime, snapshot, layout);
    return runtime;
  };
  const [python] = await Promise.all([loadPyodide({ ...options, indexURL: FOLDER, createPyodideModule }), archive]);
  for (const [handle, name] of snapshot?.handles ?? [])
    runtime.LDSO.loadedLibsByHandle[handle] = runtime.LDSO.loadedLibsByName[name];
  return { python, runtime, layout };
}

/** Load the native modules, and say where the next one would be. @param {any} runtime @param {Map<string, Uint8Array>} files */
function loadModules(runtime, files) {
  for (const name of files.keys())
    if (name.endsWith(".so") && !name.includes(LATER))
      runtime.loadDynamicLibrary(`${PACKAGES}/${name}`, { loadAsync: false, global: false, nodelete: true }, {});
  const address = runtime._malloc(1);
  runtime._free(address);
  return `${runtime.wasmTable.length} ${address}`;
}

/** Make the memory as large as a snapshot, which then replaces all of it. @param {any} runtime @param {Snapshot} snapshot @param {string} layout */
function makeRoom(runtime, snapshot, layout) {
  if (snapshot.layout !== layout) throw new Error(`A snapshot of another layout: ${snapshot.layout} is not ${layout}.`);
  const { byteLength } = snapshot.memory;
  while (runtime.HEAP8.length < byteLength) runtime._malloc(byteLength - runtime.HEAP8.length);
}

/** Native modules that Python has opened. @param {any} runtime @returns {[handle: string, name: string][]} */
const handlesOf = ({ LDSO }) => Object.entries(LDSO.loadedLibsByHandle).map(([handle, { name }]) => [handle, name]);

// where the browser keeps a snapshot

/** @returns {Promise<Snapshot | null>} */
async function readSnapshot() {
  try {
    const kept = await (await caches.open(STORE)).match(ADDRESS);
    if (!kept) return null;
    const { size, ...rest } = JSON.parse(kept.headers.get(HEADER) ?? "");
    const memory = await kept.arrayBuffer();
    return memory.byteLength === size ? { ...rest, memory } : null;
  } catch {
    return null; // this browser keeps nothing
  }
}

/** Replace older snapshots. @param {Snapshot} snapshot */
async function storeSnapshot({ memory, ...rest }) {
  await dropSnapshot();
  const header = JSON.stringify({ ...rest, size: memory.byteLength });
  const response = new Response(memory, { headers: { [HEADER]: header } });
  await (await caches.open(STORE)).put(ADDRESS, response);
}
