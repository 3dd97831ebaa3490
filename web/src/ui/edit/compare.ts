import type { FormValues } from '../form/Form.js';

/** A field that another editor has changed. */
interface Difference<Name extends string> {
  readonly field: Name;
  /** Value in the form; null where the user left the field alone. */
  readonly yours: string | null;
  readonly theirs: string;
}

export interface Comparison<Name extends string> {
  readonly differences: readonly Difference<Name>[];
  /** Values to save that keep the changes of both: where both changed a field, the user's. */
  readonly merged: FormValues<Name>;
}

/** Browsers write line ends in their own way. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
const isSame = (one: string | undefined, other: string | undefined): boolean => lines(one ?? '') === lines(other ?? '');

/** True if a typed value differs from the stored one. Fields that were not sent do not count. */
export function isChanged<Name extends string>(typed: FormValues<Name>, stored: FormValues<Name>): boolean {
  return Object.entries<string | undefined>(typed).some(([name, value]) => !isSame(value, stored[name as Name]));
}

/** Compares the start of a form, the typed values, and the stored ones. Fields that only the user has changed differ from nothing. */
export function compare<Name extends string>(start: FormValues<Name>, typed: FormValues<Name>, stored: FormValues<Name>): Comparison<Name> {
  const differences: Difference<Name>[] = [];
  const merged: FormValues<Name> = { ...typed };
  for (const [name, theirs = ''] of Object.entries<string | undefined>(stored)) {
    // The names of an object's members are texts to the compiler.
    const field = name as Name;
    const isLeftAlone = !(field in typed) || isSame(typed[field], start[field]);
    if (isLeftAlone) merged[field] = theirs;
    if (!isSame(theirs, start[field]) && !isSame(theirs, typed[field])) {
      differences.push({ field, yours: isLeftAlone ? null : (typed[field] ?? null), theirs });
    }
  }
  return { differences, merged };
}
