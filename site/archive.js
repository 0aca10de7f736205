/** Reads the archives of the site: the files of a tar file, compressed by gzip. */

const BLOCK = 512; // bytes, as tar has them
const GZIP = [0x1f, 0x8b]; // how such a file begins
const OCTAL = 8;

/** The files of an archive by their names. A host may have decompressed it on the way. @param {ArrayBuffer} archive @returns {Promise<Map<string, Uint8Array>>} */
export async function readArchive(archive) {
  const bytes = new Uint8Array(archive);
  return listFiles(GZIP.every((byte, index) => bytes[index] === byte) ? await unpack(archive) : bytes);
}

/** @param {ArrayBuffer} archive */
async function unpack(archive) {
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {Uint8Array} tar */
function listFiles(tar) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const text = (/** @type {number} */ start, /** @type {number} */ length) =>
    new TextDecoder().decode(tar.subarray(start, start + length)).replace(/\0.*/s, "");
  for (let start = 0; tar[start];) {
    const [name, size, folder] = [text(start, 100), text(start + 124, 12), text(start + 345, 155)];
    const content = start + BLOCK;
    const end = content + Number.parseInt(size, OCTAL);
    files.set(folder ? `${folder}/${name}` : name, tar.subarray(content, end));
    start = Math.ceil(end / BLOCK) * BLOCK;
  }
  return files;
}
