/** Longest user name and e-mail address. */
export const MAXIMUM_NAME_LENGTH = 256;

/** Letters, digits and `- . _ @ +`, with exactly one @ that has something on both sides. */
const EMAIL = /^[A-Za-z0-9._+-]+@[A-Za-z0-9._-]*[A-Za-z0-9]$/;

/** Whether a text can be the e-mail address, and so the user name, of an account. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAXIMUM_NAME_LENGTH && EMAIL.test(text);
}

/** The form of a user name or e-mail address that is unique: letter case does not tell accounts apart. */
export function normalizeName(text: string): string {
  return text.toUpperCase();
}
