import { MAXIMUM_NAME_LENGTH } from './user-name.js';

const PREFIX = 'ext-';

/** Text that the local part of an address cannot contain: other characters, and a dot at its end or before another dot. */
const NOT_IN_ADDRESS = /[^A-Za-z0-9._+-]|\.(?=\.|$)/gu;

/** The user name for an id from another system: the unchanged id after a prefix. */
export function externalUserName(correlationId: string): string {
  return `${PREFIX}${correlationId}`;
}

/**
 * The e-mail address for the user name of an external user; null when it would be too long. Characters that an address
 * cannot contain are percent-encoded.
 */
export function externalAddress(userName: string, domain: string): string | null {
  const address = `${userName.replaceAll(NOT_IN_ADDRESS, percentEncoded)}@${domain}`;
  return address.length <= MAXIMUM_NAME_LENGTH ? address : null;
}

/** The UTF-8 bytes of a character, each as `%` and two hexadecimal digits. */
function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
