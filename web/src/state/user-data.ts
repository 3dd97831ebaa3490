/*
 * Data that the browser stores for a user: visits, sessions, closed notices. Each text names its user, so that no user gets another's.
 * Settings of the browser itself, such as the theme, are stored for all who use it.
 */

/** Everything that is stored until the sign-out, with its place. */
export const STORED = { 'device-list': 'sessionStorage', 'recent-devices': 'localStorage' } as const;
export type StoredName = keyof typeof STORED;

/** Contents of a text. */
export interface StoredData {
  readonly userId: string;
  readonly value: unknown;
}

/** A value as a text that is stored for a user. */
export const textForUser = (userId: string, value: unknown): string => JSON.stringify({ userId, value } satisfies StoredData);

/** Stores a value for a user. */
export const storeForUser = (name: StoredName, userId: string, value: unknown): void =>
  window[STORED[name]].setItem(name, textForUser(userId, value));
