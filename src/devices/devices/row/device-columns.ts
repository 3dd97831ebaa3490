import { isIPv4, isIPv6 } from 'node:net';

/** The peer's address in the column of its family; null leaves the other family's column as it is. */
export interface PublicAddress {
  readonly publicIpV4: string | null;
  readonly publicIpV6: string | null;
}

/** The address that a device connects from, as its columns hold it. */
export function publicAddressOf(address: string | null): PublicAddress {
  const plain = address?.split('%')[0] ?? '';
  return { publicIpV4: isIPv4(plain) ? plain : null, publicIpV6: isIPv6(plain) ? plain : null };
}
