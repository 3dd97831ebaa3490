import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsBigInt, parseExactly, stringifyExactly } from './exact-json.js';
import { ProtocolError } from './messages.js';

/** The same in every run, so that a failure can be repeated. */
const SEED = 20_263;
const SAFE = Number.MAX_SAFE_INTEGER;

/** The processor time of the fastest of some runs, in microseconds. */
function fastestOf(run: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const begun = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  });
  return Math.min(...times);
}

describe('parseExactly', () => {
  it.each([
    ['9007199254740991', SAFE],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
    ['{"a":[1,{"b":9223372036854775807}]}', { a: [1, { b: 9_223_372_036_854_775_807n }] }],
    ['[ 9007199254740993 , 9007199254740993]', [9_007_199_254_740_993n, 9_007_199_254_740_993n]],
    ['[9007199254740993.5,1e20,12345678901234567890e0]', [9_007_199_254_740_994, 1e20, Number('12345678901234567890')]],
    ['{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }],
    ['["\\"9007199254740993",9007199254740993,"\\\\"]', ['"9007199254740993', 9_007_199_254_740_993n, '\\']],
    ['[0.1234567890123456789,1234567890123456789]', [Number('0.1234567890123456789'), 1_234_567_890_123_456_789n]],
    ['0.12345678901234567890', Number('0.1234567890123456789')],
    ['"0000000000000000000000"', '0000000000000000000000'],
  ])('reads %s', (json, value) => {
    expect(parseExactly(json)).toEqual(value);
  });

  it.each([
    '{9007199254740993:1}',
    '{9007199254740993 :1}',
    '[009007199254740993]',
    '[9007199254740993',
    '9007199254740993 9007199254740993',
    '9007199254740993x',
    '[9007199254740993e]',
    '--9007199254740993',
    '+9007199254740993',
    '"9007199254740993',
  ])('refuses %s, which is no JSON', (json) => {
    expect(() => parseExactly(json)).toThrow(SyntaxError);
  });

  it('refuses a whole number with more digits than any program needs, which would take long to read', () => {
    const digits = '9'.repeat(400);
    expect(parseExactly(`[${digits}]`)).toEqual([BigInt(digits)]);
    expect(() => parseExactly(`[${digits}9]`)).toThrow('A whole number has more than 400 digits.');
    expect(() => parseExactly(`-${digits}`)).toThrow(ProtocolError);
    expect(parseExactly(`["${digits}9",${digits}9e0,0.${digits}]`)).toEqual([`${digits}9`, Infinity, 1]);
  });

  it('takes not much longer than JSON.parse for a long message with one large number', () => {
    const plain = `[${'1,[],'.repeat(100_000)}1]`;
    const large = `[${'1,[],'.repeat(100_000)}9007199254740993]`;
    const [fast, exact] = [fastestOf(() => JSON.parse(plain)), fastestOf(() => parseExactly(large))];
    expect(exact / fast).toBeLessThan(10);
  });

  it('finds a large whole number wherever it stands', () => {
    for (let before = 0; before < 40; before++) {
      for (let digits = 14; digits < 24; digits++) {
        const number = '9'.repeat(digits);
        const kind = digits < 16 ? 'number' : 'bigint';
        const values = [
          `["${'x'.repeat(before)}",${number},12345,0.5]`,
          `[${'12,'.repeat(before)}0.1234567890123456,${number},1e-7]`,
          `["${'7'.repeat(before)}",${number}]`,
        ].map((json) => parseExactly(json) as unknown[]);
        expect([values[0][1], values[1].at(-2), values[2][1]].map((value) => typeof value)).toEqual([kind, kind, kind]);
      }
    }
  });

  it('keeps a member with the name of the prototype as its own', () => {
    const value = parseExactly('{"__proto__":9007199254740993}');
    expect(Object.entries(value as object)).toEqual([['__proto__', 9_007_199_254_740_993n]]);
  });

  it('reads the same as JSON.parse where there are no large numbers', () => {
    const value = fc.jsonValue({ noUnicodeString: false }).filter((json) => !/\d{16}/.test(JSON.stringify(json)));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(json, undefined, indent);
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
      { seed: SEED },
    );
  });

  it('reads the output of stringifyExactly, with integers of all sizes', () => {
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, integers, fc.string(), fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
    }));
    const sized = (value: unknown): unknown => {
      if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      if (Array.isArray(value)) return value.map(sized);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sized(inner)]));
    };
    fc.assert(
      fc.property(fc.array(tree), (values) => {
        expect(parseExactly(stringifyExactly(values))).toEqual(sized(values));
      }),
      { seed: SEED },
    );
  });
});

describe('holdsBigInt', () => {
  it.each([
    ['9007199254740993', true],
    ['[[[9007199254740993]]]', true],
    ['{"a":{"b":[9007199254740993]}}', true],
    ['[9007199254740991,{"a":"9007199254740993"}]', false],
    ['null', false],
    ['"9007199254740993"', false],
  ])('answers for %s: %s', (json, holds) => {
    expect(holdsBigInt(parseExactly(json))).toBe(holds);
  });

  it('is true for a part by itself', () => {
    const parts = parseExactly('[[1],[9007199254740993]]') as unknown[];
    expect(parts.map(holdsBigInt)).toEqual([false, true]);
  });
});

describe('stringifyExactly', () => {
  it('writes BigInts with all their digits', () => {
    expect(stringifyExactly([2n ** 64n - 1n, { low: -(2n ** 63n) }, 5n, 'text'])).toBe(
      '[18446744073709551615,{"low":-9223372036854775808},5,"text"]',
    );
  });

  it.each([2n ** 64n, -(2n ** 63n) - 1n])('refuses %s, which has more than 64 bits', (value) => {
    expect(() => stringifyExactly([value])).toThrow('The BigInt has more than 64 bits.');
  });

  it('refuses a value that contains itself', () => {
    const circle: unknown[] = [1n];
    circle.push(circle);
    expect(() => stringifyExactly(circle)).toThrow(TypeError);
  });
});
