import { randomInt } from 'node:crypto';

import { invalidFields } from '../../../platform/common/errors/errors.js';
import { isCommonPassword } from './common-passwords.js';

/** Shortest password, in characters. */
export const MINIMUM_PASSWORD_LENGTH = 8;
/** Longest password, in characters. Hashing longer ones would cost time without adding security. */
export const MAXIMUM_PASSWORD_LENGTH = 100;
/** Length of a generated password. It exceeds the minimum because people type it only once. */
const TEMPORARY_PASSWORD_LENGTH = 20;

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'an upper-case letter'],
  [/\p{Ll}/u, 'a lower-case letter'],
  [/\p{Nd}/u, 'a digit'],
];

/** Letters and digits that cannot be mistaken for one another. */
const ALPHABETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789'];

const TOO_COMMON = 'This password is too common. Choose another, such as several words in a row.';

/** One sentence for each rule that the password breaks; empty when it is acceptable. */
export function passwordProblems(password: string): string[] {
  const problems: string[] = [];
  if (password.length < MINIMUM_PASSWORD_LENGTH) problems.push(`The password must have at least ${MINIMUM_PASSWORD_LENGTH} characters.`);
  if (password.length > MAXIMUM_PASSWORD_LENGTH) problems.push(`The password must have at most ${MAXIMUM_PASSWORD_LENGTH} characters.`);
  for (const [pattern, what] of RULES) if (!pattern.test(password)) problems.push(`The password must have ${what}.`);
  return problems;
}

/** One sentence for each rule that a password chosen by a person breaks; empty when it is acceptable. */
export async function chosenPasswordProblems(password: string): Promise<string[]> {
  const problems = passwordProblems(password);
  if (problems.length === 0 && (await isCommonPassword(password))) problems.push(TOO_COMMON);
  return problems;
}

/** 400 at a field for a password that a person chose and that breaks a rule. */
export async function requireGoodPassword(field: string, password: string): Promise<void> {
  const problems = await chosenPasswordProblems(password);
  if (problems.length > 0) throw invalidFields({ [field]: problems });
}

/** A random password that satisfies the policy. Its user signs in with it once and then changes it. */
export function newTemporaryPassword(): string {
  const all = ALPHABETS.join('');
  const characters = ALPHABETS.map(oneOf);
  while (characters.length < TEMPORARY_PASSWORD_LENGTH) characters.push(oneOf(all));
  // One character of each alphabet comes first. The shuffle then hides their positions.
  for (let at = characters.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [characters[at], characters[other]] = [characters[other], characters[at]];
  }
  return characters.join('');
}

function oneOf(alphabet: string): string {
  return alphabet[randomInt(alphabet.length)];
}
