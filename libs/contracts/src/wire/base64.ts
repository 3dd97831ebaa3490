/** The largest run of bytes handed to String.fromCharCode at once: more overflows the stack in some browsers. */
const BROWSER_RUN = 8192;

/** Standard base64 with padding. Uses Node's native code where there is any: file contents pass through here. */
export function toBase64(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (let start = 0; start < bytes.length; start += BROWSER_RUN) {
    binary += String.fromCharCode(...bytes.subarray(start, start + BROWSER_RUN));
  }
  return btoa(binary);
}

/** The bytes of a standard base64 text with padding, or undefined when it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  const bytes = decodeLeniently(text);
  // Decoders skip or refuse what is no base64 digit, so that a wrong text comes out too short.
  return bytes?.length === length ? bytes : undefined;
}

function decodeLeniently(text: string): Uint8Array | undefined {
  if (typeof Buffer !== 'undefined') return Buffer.from(text, 'base64');
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
