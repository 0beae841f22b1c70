/**
 * Whether the server has another version of this page by now: it was upgraded and restarted, and the parts that this page has not
 * loaded yet are gone. The name of the script contains a hash of its content.
 */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector("script[src]")?.getAttribute("src");
  if (own === null || own === undefined) return false;
  const response = await fetch(new URL(".", document.baseURI), { cache: "no-store" }).catch(() => undefined);
  return response?.ok === true && !(await response.text()).includes(own);
}

/** The address has the state of the page, so that loading it anew loses nothing; what is written in a dialog is not in the address. */
export async function reloadIfOutdated(): Promise<void> {
  if ((await isOutdated()) && document.querySelector("dialog[open]") === null) location.reload();
}
