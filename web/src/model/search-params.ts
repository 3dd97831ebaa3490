/*
 * Addresses as people read them: `?state=online&tag=a&tag=b`. A name that occurs once is a text, one that occurs more often a list. Each
 * route checks its values.
 */

export type SearchParams = Record<string, string | readonly string[] | undefined>;

export function parseSearch(text: string): SearchParams {
  const params = new URLSearchParams(text);
  const names = new Set(params.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'string' ? each !== '' : typeof each === 'number' || each === true) params.append(name, String(each));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Makes the next search of an address of its present one. A rendering may be behind: its search lacks a choice just made. */
export type SearchChange<S> = (search: S) => S;

/** One text of a search parameter; undefined where there is none. */
export const oneOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? oneOf(value[0]) : typeof value === 'string' && value !== '' ? value : undefined;

/** A whole number above 0 of a search parameter: text in an address, a number in a link of the page. Undefined where there is none. */
export function numberOf(value: unknown): number | undefined {
  const number = Number(Array.isArray(value) ? value[0] : value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** All texts of a search parameter, each once; undefined where there is none. */
export function listOf(value: unknown): string[] | undefined {
  const list = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '');
  return list.length === 0 ? undefined : [...new Set(list)];
}

/** A text of a search parameter, if it is one of those allowed. */
export const choiceOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === oneOf(value));
