/** An IP address or host name as it stands in a URL. */
export function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Parses a URL; undefined when the text is not one. */
export function parseUrlText(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Addresses that stand for all network interfaces. A service that listens on one of them can be reached as localhost. */
export const UNSPECIFIED_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];
