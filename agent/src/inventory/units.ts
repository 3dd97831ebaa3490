const BYTES_PER_GIB = 1024 ** 3;

/** Bytes as GiB with two decimals: the unit of memory and storage in the contract. */
export function toGib(bytes: number): number {
  return Math.round((bytes / BYTES_PER_GIB) * 100) / 100;
}
