/** An IP address or host name as it stands in a URL. */
export function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Parses a URL; undefined when the text is not one. */
export function parseUrlText(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
