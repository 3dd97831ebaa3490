/*
 * What the browser keeps for a user: what they visited, what runs, what they closed. Each text names its user, so that nobody gets what is
 * another's. What is about the browser itself, such as the theme, is kept for whoever uses it.
 */

interface Kept {
  readonly userId: string;
  readonly value: unknown;
}

/** A value as a text that is kept for a user. */
export const keptText = (userId: string, value: unknown): string => JSON.stringify({ userId, value } satisfies Kept);

/** The value of a text that was kept for this user; null for one of another user, and for a text that is not ours. */
export function keptValue(text: string | null, userId: string): unknown {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    return kept?.userId === userId ? (kept.value ?? null) : null;
  } catch {
    return null;
  }
}
