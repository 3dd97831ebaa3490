/*
 * Two people may edit the same thing. What is read of a thing comes with a tag of its state; a change sends the tag along, and the service
 * refuses it if the thing has changed since.
 */

/** What was read of a thing, and the tag of that state; null where the service gives none. */
export interface Versioned<T> {
  readonly value: T;
  readonly tag: string | null;
}

/** The same version, seen in another way. */
export const versionAs = <T, U>({ value, tag }: Versioned<T>, convert: (value: T) => U): Versioned<U> => ({ value: convert(value), tag });
