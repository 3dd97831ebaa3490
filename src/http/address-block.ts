/** An IPv4 address within the IPv6 address space, as dual-stack sockets show it. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of an IPv6 address, and those of its network: the first 64 bits. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * What counts as one address wherever something is counted by address: an IPv4 address by itself, an IPv6 address with all others
 * of its /64 network, because a host that has one of them can have all.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  // A dotted end stands for two groups.
  const omitted = tail === undefined ? 0 : GROUPS - head.length - tail.length - (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array.from({ length: Math.max(0, omitted) }, () => '0'), ...(tail ?? [])];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
