/*
 * What the browser keeps for a user: what they visited, what runs, what they closed. Each text names its user, so that nobody gets what is
 * another's. What is about the browser itself, such as the theme, is kept for all who use it.
 */

/** Everything that is kept until the sign-out, with its place. */
export const KEPT = { 'device-list': 'sessionStorage', 'recent-devices': 'localStorage' } as const;
export type KeptName = keyof typeof KEPT;

/** What a text says. */
export interface Kept {
  readonly userId: string;
  readonly value: unknown;
}

/** A value as a text that is kept for a user. */
export const keptText = (userId: string, value: unknown): string => JSON.stringify({ userId, value } satisfies Kept);

/** Keeps a value for a user. */
export const keep = (name: KeptName, userId: string, value: unknown): void => window[KEPT[name]].setItem(name, keptText(userId, value));
