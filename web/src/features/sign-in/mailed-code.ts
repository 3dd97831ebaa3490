/** The code that a link of a mail carries behind `#code=`: this part of an address never reaches a server or its log. */
export function mailedCode(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('code');
  return code === null || code === '' ? null : code;
}
