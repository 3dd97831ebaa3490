import type { NetworkInterfaceInfo } from 'node:os';

export interface NetworkFacts {
  /** Upper-case hex, 12 digits, of every interface that is up and has an IPv4 address. */
  readonly macAddresses: string[];
  /** Of the first active interface; empty when there is none. */
  readonly localIpV4: string;
  readonly localIpV6: string;
}

const NO_MAC = '00:00:00:00:00:00';

/** Facts in heartbeats about the interfaces that node:os lists (those that are up). */
export function networkFacts(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): NetworkFacts {
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal);
  const ipV4 = addresses.filter(({ family }) => family === 'IPv4');
  const ipV6 = addresses.filter(({ family }) => family === 'IPv6');
  const macs = ipV4.map(({ mac }) => mac).filter((mac) => mac !== NO_MAC);
  return {
    macAddresses: [...new Set(macs.map((mac) => mac.replaceAll(':', '').toUpperCase()))],
    localIpV4: ipV4[0]?.address ?? '',
    // A link-local address is only valid on its own link, so any other address is preferred.
    localIpV6: (ipV6.find(({ address }) => !address.startsWith('fe80:')) ?? ipV6[0])?.address ?? '',
  };
}
