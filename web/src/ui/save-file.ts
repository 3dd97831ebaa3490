/** The browser may still read a file for a while after the download has begun. */
const KEPT_MS = 60_000;

/** Hands a file to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Has the browser download what is at an address. The page stays, also if the service refuses it. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
