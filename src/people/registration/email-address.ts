import { invalidField } from '../../platform/common/errors/errors.js';
import { isEmailAddress } from '../users/user-name.js';

/** Returns the e-mail address in a field, without spaces around it; 400 at the field if it is none. */
export function requireEmailAddress(field: string, given: string): string {
  const address = given.trim();
  if (!isEmailAddress(address)) throw invalidField(field, `${field} must be an e-mail address of letters, digits and - . _ @ +.`);
  return address;
}
