/** The most arguments for String.fromCharCode in one call: more of them overflow the stack in some browsers. */
const BROWSER_RUN = 8192;

/** Standard base64 with padding. File contents pass through here, so it uses Node's native code if there is any. */
export function toBase64(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (let start = 0; start < bytes.length; start += BROWSER_RUN) {
    binary += String.fromCharCode(...bytes.subarray(start, start + BROWSER_RUN));
  }
  return btoa(binary);
}

/** The bytes of standard base64 with padding. Undefined when the text is something else. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  const bytes = decodeLeniently(text);
  // Decoders skip characters that do not belong to base64, so that a malformed text gives too few bytes.
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
