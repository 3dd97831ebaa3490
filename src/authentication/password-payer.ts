import { addressBlock } from '../http/address-block.js';

/** Whose turn the hash of a password takes: that of the address, so that nobody waits for those who try many passwords elsewhere. */
export function payerAt(remoteAddress: string): string {
  return `address ${addressBlock(remoteAddress)}`;
}
