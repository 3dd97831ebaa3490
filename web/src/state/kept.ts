/*
 * Data that the browser keeps for a user: visits, sessions, closed notices. Each text names its user, so that nobody gets another's.
 * Settings of the browser itself, such as the theme, are kept for all who use it.
 */

/** Everything that is kept until the sign-out, with its place. */
export const KEPT = { 'device-list': 'sessionStorage', 'recent-devices': 'localStorage' } as const;
export type KeptName = keyof typeof KEPT;

/** Contents of a text. */
export interface Kept {
  readonly userId: string;
  readonly value: unknown;
}

/** A value as a text that is kept for a user. */
export const keptText = (userId: string, value: unknown): string => JSON.stringify({ userId, value } satisfies Kept);

/** Keeps a value for a user. */
export const keep = (name: KeptName, userId: string, value: unknown): void => window[KEPT[name]].setItem(name, keptText(userId, value));
