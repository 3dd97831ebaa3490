/** Longest user name or e-mail address, in characters. */
export const MAXIMUM_NAME_LENGTH = 256;

/** Letters, digits and `- . _ @ +`, with exactly one @ and at least one character on both sides of it. */
const EMAIL = /^[A-Za-z0-9._+-]+@[A-Za-z0-9._-]*[A-Za-z0-9]$/;

/** Checks that a text can be the e-mail address, and so the user name, of an account. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAXIMUM_NAME_LENGTH && EMAIL.test(text);
}

/** The unique form of a user name or e-mail address, which ignores letter case. */
export function normalizeName(text: string): string {
  return text.toUpperCase();
}
