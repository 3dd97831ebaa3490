export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface Change {
  /** The way to the field, its names joined by dots. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** More fields than a user reads; the rest would only slow the page down. */
const MOST_FIELDS = 200;

/** The fields of two states of a thing that differ, or all with `all`, by name. `null` stands for a field that is not there. */
export function changesBetween(before: Json | undefined, after: Json | undefined, all = false): Change[] {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .sort()
    .map((field) => ({ field, before: earlier.get(field) ?? null, after: later.get(field) ?? null }))
    .filter((change) => all || change.before !== change.after)
    .slice(0, MOST_FIELDS);
}

function fieldsOf(value: Json | undefined): Map<string, string> {
  const fields = new Map<string, string>();
  const walk = (part: Json, path: readonly string[]): void => {
    if (part !== null && typeof part === 'object' && !Array.isArray(part)) {
      for (const [name, inner] of Object.entries(part)) walk(inner, [...path, name]);
    } else if (part !== null) {
      fields.set(path.join('.'), typeof part === 'string' ? part : listed(part));
    }
  };
  if (value !== undefined) walk(value, []);
  return fields;
}

/** Lists of plain values read better without brackets. */
function listed(part: Json): string {
  const isPlainList = Array.isArray(part) && part.every((item) => typeof item !== 'object');
  return isPlainList ? part.join(', ') : JSON.stringify(part);
}
