import { isIP } from 'node:net';

/** The domain name in an address; null when it has an IP address instead. */
export function domainOf(address: string): string | null {
  const { hostname } = new URL(address);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null;
}
