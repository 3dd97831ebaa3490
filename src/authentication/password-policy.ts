import { randomInt } from 'node:crypto';

/** Fewest characters of a password. */
export const MINIMUM_PASSWORD_LENGTH = 8;
/** Most characters of a password: hashing longer ones would cost without adding anything. */
export const MAXIMUM_PASSWORD_LENGTH = 100;
/** Length of a password that the service makes up: more than the policy asks for, because it is typed once. */
const TEMPORARY_PASSWORD_LENGTH = 20;

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'an upper-case letter'],
  [/\p{Ll}/u, 'a lower-case letter'],
  [/\p{Nd}/u, 'a digit'],
];

/** Letters and digits that nobody mistakes for one another. */
const ALPHABETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789'];

/** What a password lacks, one sentence each; empty when it is good. */
export function passwordProblems(password: string): string[] {
  const problems: string[] = [];
  if (password.length < MINIMUM_PASSWORD_LENGTH) problems.push(`The password must have at least ${MINIMUM_PASSWORD_LENGTH} characters.`);
  if (password.length > MAXIMUM_PASSWORD_LENGTH) problems.push(`The password must have at most ${MAXIMUM_PASSWORD_LENGTH} characters.`);
  for (const [pattern, what] of RULES) if (!pattern.test(password)) problems.push(`The password must have ${what}.`);
  return problems;
}

/** A random password that the policy accepts, for somebody to sign in with once and then change. */
export function newTemporaryPassword(): string {
  const all = ALPHABETS.join('');
  const characters = ALPHABETS.map(oneOf);
  while (characters.length < TEMPORARY_PASSWORD_LENGTH) characters.push(oneOf(all));
  // The first characters are one of each alphabet: shuffled, nothing is known of any position.
  for (let at = characters.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [characters[at], characters[other]] = [characters[other], characters[at]];
  }
  return characters.join('');
}

function oneOf(alphabet: string): string {
  return alphabet[randomInt(alphabet.length)];
}
