import { hashSecret } from '../../../platform/common/identifiers/secret.js';
import { addressBlock, widerNetwork } from '../../../platform/http/addresses/address-block.js';

/** The source whose turn the hash of a password takes. */
export interface PasswordSource {
  /** Its passwords are computed one at a time. */
  readonly source: string;
  /** The wider network that the source belongs to, of which a limited number may wait; left out where that does not matter. */
  readonly network?: string;
  /** True if the source is known: it does not wait among those that are not. */
  readonly isKnown: boolean;
}

/** The source for the address of a caller, so that nobody waits for those who try many passwords elsewhere. */
export function passwordSourceAt(remoteAddress: string, isKnown = false): PasswordSource {
  return { source: `address ${addressBlock(remoteAddress)}`, network: widerNetwork(remoteAddress), isKnown };
}

/** The source for a browser in which a user has signed in before, at any address. */
export function passwordSourceOfBrowser(browser: string): PasswordSource {
  return { source: `browser ${hashSecret(browser).toString('hex')}`, isKnown: true };
}

/** The source for the administrators of a tenant, or for the start of the service. */
export function passwordSourceOf(source: string): PasswordSource {
  return { source, isKnown: true };
}
