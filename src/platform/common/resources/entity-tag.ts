import { createHash } from 'node:crypto';

import { preconditionFailed } from '../errors/errors.js';

/** The states in which a change expects a thing: the tags of some, or any. */
export type ExpectedTags = ReadonlySet<string> | 'any';

/** The most tags that a change may list. */
export const MAXIMUM_EXPECTED_TAGS = 32;

/** Length of a tag in characters of 6 bits. */
const TAG_LENGTH = 22;

/** An entity tag (RFC 9110, section 8.8.3), of which only the text between the quotes counts. */
const ENTITY_TAG = String.raw`(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"`;
const LIST = new RegExp(String.raw`^[ \t]*${ENTITY_TAG}(?:[ \t]*,[ \t]*${ENTITY_TAG})*[ \t]*$`);

/**
 * The part of a kind of thing that people can change, and the tag of each state. Two editors of one thing get the same tag as long as
 * neither has changed it, whatever else happens to it.
 */
export class TaggedState<T> {
  /** `stateOf` picks what people can change. `nothing` is the state of a thing that is not stored; without it, such a thing has no tag. */
  constructor(
    private readonly stateOf: (thing: T) => object,
    private readonly nothing?: NoInfer<T>,
  ) {}

  /** The tag of a thing without quotes; null when it has none. */
  tagOf(thing: T | null): string | null {
    const present = thing ?? this.nothing;
    if (present === undefined) return null;
    return createHash('sha256')
      .update(canonical(this.stateOf(present)))
      .digest('base64url')
      .slice(0, TAG_LENGTH);
  }

  /** 412 unless the thing is in an expected state. Read it in the transaction of the change, after its row was locked. */
  require(expected: ExpectedTags | undefined, thing: T | null): void {
    if (expected === undefined) return;
    const tag = this.tagOf(thing);
    if (tag === null || (expected !== 'any' && !expected.has(tag))) throw preconditionFailed();
  }
}

/**
 * Reads an `If-Match` header; null when it is malformed or lists too many tags. Weak tags count as strong ones, because proxies that
 * compress answers make a tag weak by putting `W/` in front of it.
 */
export function readExpectedTags(header: string): ExpectedTags | null {
  if (header.trim() === '*') return 'any';
  if (!LIST.test(header)) return null;
  const tags = [...header.matchAll(new RegExp(ENTITY_TAG, 'g'))].map(([, tag]) => tag);
  return tags.length > MAXIMUM_EXPECTED_TAGS ? null : new Set(tags);
}

/** The JSON text of a value, with the members of each object in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
