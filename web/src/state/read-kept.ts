import { KEPT, type Kept, type KeptName } from './kept.js';

/** The text that is kept under a name. */
export const textOf = (name: KeptName): string | null => window[KEPT[name]].getItem(name);

/** The value of a text that was kept for this user; null for one of another user, and for a text that is not ours. */
export function keptValue(text: string | null, userId: string): unknown {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    return kept?.userId === userId ? (kept.value ?? null) : null;
  } catch {
    return null;
  }
}

/** Forgets everything that is kept. */
export function forgetKept(): void {
  for (const name of Object.keys(KEPT) as KeptName[]) window[KEPT[name]].removeItem(name);
}
