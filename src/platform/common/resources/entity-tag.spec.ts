import { describe, expect, it } from 'vitest';

import { DomainError, ErrorCode } from '../errors/errors.js';
import { MAXIMUM_EXPECTED_TAGS, readExpectedTags, TaggedState } from './entity-tag.js';

interface Thing {
  readonly name: string;
  readonly labels?: Readonly<Record<string, number>>;
  readonly seen?: number;
}

const state = new TaggedState(({ name, labels }: Thing) => ({ name, labels }));
const withNothing = new TaggedState<{ readonly value: string | null }>(({ value }) => ({ value }), { value: null });

function codeOf(work: () => void): ErrorCode | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe('the tag of a state', () => {
  it('is the same for the same values, in any order of their members', () => {
    expect(state.tagOf({ name: 'a', labels: { x: 1, y: 2 } })).toBe(state.tagOf({ labels: { y: 2, x: 1 }, name: 'a' }));
    expect(state.tagOf({ name: 'a' })).toMatch(/^[\w-]{22}$/);
  });

  it('differs with what people can change, and with nothing else', () => {
    expect(state.tagOf({ name: 'a' })).not.toBe(state.tagOf({ name: 'b' }));
    expect(state.tagOf({ name: 'a', labels: { x: 1 } })).not.toBe(state.tagOf({ name: 'a', labels: { x: 2 } }));
    expect(state.tagOf({ name: 'a', seen: 1 })).toBe(state.tagOf({ name: 'a', seen: 2 }));
  });

  it('is that of the empty thing for a thing that is not stored, if there is such a state', () => {
    expect(state.tagOf(null)).toBeNull();
    expect(withNothing.tagOf(null)).toBe(withNothing.tagOf({ value: null }));
    expect(withNothing.tagOf(null)).not.toBe(withNothing.tagOf({ value: '' }));
  });
});

describe('the condition of a change', () => {
  const tag = state.tagOf({ name: 'a' }) ?? '';

  it('holds without an expected state, for any state, and for an expected one', () => {
    for (const expected of [undefined, 'any', new Set([tag]), new Set(['other', tag])] as const) {
      expect(codeOf(() => state.require(expected, { name: 'a' }))).toBeNull();
    }
  });

  it('does not hold for another state', () => {
    for (const expected of [new Set<string>(), new Set(['other']), new Set([tag.toLowerCase()])]) {
      expect(codeOf(() => state.require(expected, { name: 'a' }))).toBe(ErrorCode.PreconditionFailed);
    }
  });

  it('does not hold for a missing thing, unless that is a state', () => {
    expect(codeOf(() => state.require(undefined, null))).toBeNull();
    expect(codeOf(() => state.require('any', null))).toBe(ErrorCode.PreconditionFailed);
    expect(codeOf(() => withNothing.require('any', null))).toBeNull();
    expect(codeOf(() => withNothing.require(new Set([withNothing.tagOf(null) ?? '']), null))).toBeNull();
  });
});

describe('an If-Match header', () => {
  it.each<[string, readonly string[] | 'any']>([
    ['*', 'any'],
    [' * ', 'any'],
    ['"a"', ['a']],
    ['W/"a"', ['a']],
    ['""', ['']],
    ['"a", W/"b" ,"c"', ['a', 'b', 'c']],
    ['"a,b"', ['a,b']],
    ['"W/"', ['W/']],
    [' "a"\t', ['a']],
  ])('%s is read', (header, wanted) => {
    const read = readExpectedTags(header);
    expect(read === null || read === 'any' ? read : [...read]).toEqual(wanted);
  });

  it.each([
    '',
    ' ',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '"a",',
    ',"a"',
    '"a",,"b"',
    '*,"a"',
    '"a",*',
    'w/"a"',
    'W/ "a"',
    'W/*',
    '"a"b',
    '"a b"',
    '"a\u007f"',
    '"ł"',
  ])('%s is malformed', (header) => {
    expect(readExpectedTags(header)).toBeNull();
  });

  it('is refused when it lists too many tags', () => {
    const list = (count: number): string => Array.from({ length: count }, (_value, at) => `"${at}"`).join(', ');
    expect(readExpectedTags(list(MAXIMUM_EXPECTED_TAGS))).toHaveProperty('size', MAXIMUM_EXPECTED_TAGS);
    expect(readExpectedTags(list(MAXIMUM_EXPECTED_TAGS + 1))).toBeNull();
  });

  it('is refused at once when it is long and malformed', () => {
    expect(readExpectedTags(`${'"a",'.repeat(10_000)}"`)).toBeNull();
    expect(readExpectedTags(`"a"${' '.repeat(10_000)}x`)).toBeNull();
  });
});
