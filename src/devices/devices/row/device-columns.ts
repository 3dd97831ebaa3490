import { isIPv4, isIPv6 } from 'node:net';

/** The peer's address in the column of its family; null leaves the other family's column as it is. */
export interface PublicAddress {
  readonly publicIpV4: string | null;
  readonly publicIpV6: string | null;
}

/** Characters of an address of eight groups, which the column holds. */
const MAXIMUM_IPV6_LENGTH = 39;

/** The address that a device connects from, as its columns hold it. */
export function publicAddressOf(address: string | null): PublicAddress {
  const plain = address?.split('%')[0] ?? '';
  return { publicIpV4: isIPv4(plain) ? plain : null, publicIpV6: isIPv6(plain) ? inColumn(plain) : null };
}

/** An address that is written out and ends in the form of IPv4 is longer than the column; its short form is not. */
function inColumn(ipV6: string): string {
  return ipV6.length > MAXIMUM_IPV6_LENGTH ? new URL(`http://[${ipV6}]`).hostname.slice(1, -1) : ipV6;
}
