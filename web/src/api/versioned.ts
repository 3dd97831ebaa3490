import type { Versioned } from '../state/versioned.js';

/** The body of an answer with the tag of the state that it shows. */
export async function versionOf<T>(answer: Promise<{ data?: T; response: Response }>): Promise<Versioned<NonNullable<T>>> {
  const { data, response } = await answer;
  return { value: data as NonNullable<T>, tag: response.headers.get('etag') };
}

/** The headers of a change that is for the state with this tag only. */
export const ifMatch = (tag: string | null): Record<string, string> => (tag === null ? {} : { 'If-Match': tag });
