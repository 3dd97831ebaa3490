import type { Entry, NameOf } from './entry.js';

/** The names that the log kept for what an entry concerns. */
export function namesOf({ subjects }: Entry): NameOf {
  const byId = new Map(subjects.map(({ id, name }) => [id, name ?? undefined]));
  return (id) => byId.get(id);
}
