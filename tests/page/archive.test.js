/** Archives of the static site, as tools/static_site/packages.py writes them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readArchive } from "../../site/archive.js";

const NAME = 100;
const FOLDER = 345;

/** One file in a tar file. @param {string} name @param {string} content @param {string} [folder] */
function entry(name, content, folder = "") {
  const bytes = new TextEncoder().encode(content);
  const blocks = new Uint8Array(512 + Math.ceil(bytes.length / 512) * 512);
  const write = (/** @type {number} */ start, /** @type {string} */ text) =>
    blocks.set(new TextEncoder().encode(text), start);
  write(0, name);
  write(NAME + 24, bytes.length.toString(8).padStart(11, "0"));
  write(FOLDER, folder);
  blocks.set(bytes, 512);
  return blocks;
}

const LONG = "x".repeat(NAME);
const tar = new Blob([
  entry("a.txt", "one"),
  entry("empty", ""),
  entry(LONG, "y".repeat(512), "folder/below"),
  entry("last", "z".repeat(513)),
  new Uint8Array(1024),
]);
const expected = { "a.txt": 3, empty: 0, [`folder/below/${LONG}`]: 512, last: 513 };

/** @param {Map<string, Uint8Array>} files */
const sizes = (files) => Object.fromEntries([...files].map(([name, content]) => [name, content.length]));

test("the files of an archive are read", async () => {
  const packed = await new Response(tar.stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  const files = await readArchive(packed);
  assert.deepEqual(sizes(files), expected);
  assert.equal(new TextDecoder().decode(files.get("a.txt")), "one");
});

test("an archive that a host has decompressed is read, too", async () => {
  assert.deepEqual(sizes(await readArchive(await tar.arrayBuffer())), expected);
});
