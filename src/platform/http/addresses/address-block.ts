/** An IPv4 address within the IPv6 address space, as dual-stack sockets show it. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of an IPv6 address, and those of its network: the first 64 bits. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/**
 * Returns the part that counts as one address wherever something is counted by address: an IPv4 address by itself, an IPv6 address with all
 * others of its /64 network, because a host that has one of them can have all.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return `${groupsOf(address, NETWORK_GROUPS).join(':')}::/64`;
}

/** The network in which one owner may have many addresses: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function widerNetwork(address: string): string {
  const block = addressBlock(address);
  if (block === '') return '';
  if (!block.includes(':')) return `${block.split('.').slice(0, 3).join('.')}.0/24`;
  return `${groupsOf(address, SITE_GROUPS).join(':')}::/48`;
}

/** The first groups of an IPv6 address. */
function groupsOf(address: string, count: number): string[] {
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  // A dotted end stands for two groups.
  const omitted = tail === undefined ? 0 : GROUPS - head.length - tail.length - (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array.from({ length: Math.max(0, omitted) }, () => '0'), ...(tail ?? [])];
  return groups.slice(0, count).map((group) => Number.parseInt(group, 16).toString(16));
}
