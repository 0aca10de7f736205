/**
 * Whether the server has a newer page than this one. The files of a page lie in a folder with its version, and a server
 * has one version only: a page that was open while the server was replaced cannot load a screen any more.
 */
import { firstPage } from "./api.js";

/** The version of a page, or nothing for one that loads its sources. @param {Document} page */
const versionOf = (page) => page.documentElement.dataset["version"];

/** Never true right after the page was loaded, so a page that loads itself again does so once. */
export async function isOutdated() {
  if (!versionOf(document)) return false;
  const latest = await firstPage().catch(() => "");
  const version = versionOf(new DOMParser().parseFromString(latest, "text/html"));
  return version !== undefined && version !== versionOf(document);
}
