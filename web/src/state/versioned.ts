/*
 * Two people may edit the same thing. Each state that is read comes with a tag; a change sends the tag along, and the service refuses it if
 * the thing has changed since.
 */

/** A state of a thing, and its tag; null where the service gives none. */
export interface Versioned<T> {
  readonly value: T;
  readonly tag: string | null;
}

/** The same version, seen in another way. */
export const versionAs = <T, U>({ value, tag }: Versioned<T>, convert: (value: T) => U): Versioned<U> => ({ value: convert(value), tag });
