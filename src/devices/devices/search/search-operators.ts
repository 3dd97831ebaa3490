import type { SearchKind, SearchProperty } from './search-properties.js';

interface Operator {
  /** The condition, from the expression of the property and the placeholder of the value. */
  readonly sql: (property: string, value: string) => string;
  /** Returns the bound parameter for the value of the request; by default the value itself. */
  readonly bound?: (value: string) => string;
  /** True if every match contains the value. */
  readonly isContained?: boolean;
}

type Operators = Readonly<Record<string, Operator>>;

const compare = (symbol: string): Operator => ({ sql: (property, value) => `${property} ${symbol} ${value}` });
const like = (bound: (escaped: string) => string, symbol = 'ILIKE'): Operator => ({
  sql: (property, value) => `${property} ${symbol} ${value}`,
  bound: (value) => bound(escapeWildcards(value)),
});

const equality: Operators = {
  '=': compare('='),
  '!=': compare('IS DISTINCT FROM'),
  is: compare('='),
  'is not': compare('IS DISTINCT FROM'),
};
const order: Operators = { '>': compare('>'), '>=': compare('>='), '<': compare('<'), '<=': compare('<=') };

/** Operators that compare with a value, by the kind of the property. These are the names that data grids send, in any case. */
export const BINARY_OPERATORS: Readonly<Record<SearchKind, Operators>> = {
  text: {
    contains: { ...like((value) => `%${value}%`), isContained: true },
    'not contains': like((value) => `%${value}%`, 'NOT ILIKE'),
    'starts with': { ...like((value) => `${value}%`), isContained: true },
    'ends with': { ...like((value) => `%${value}`), isContained: true },
    equals: { sql: (property, value) => `lower(${property}) = lower(${value})`, isContained: true },
    'not equals': { sql: (property, value) => `lower(${property}) <> lower(${value})` },
  },
  number: { ...equality, ...order },
  instant: {
    ...equality,
    ...order,
    'is after': compare('>'),
    'is on or after': compare('>='),
    'is before': compare('<'),
    'is on or before': compare('<='),
  },
  boolean: equality,
  platform: equality,
  architecture: equality,
};

/** Operators without a value. */
export const UNARY_OPERATORS: Readonly<Record<string, (property: SearchProperty) => string>> = {
  'is empty': ({ kind, sql }) => (kind === 'text' ? `${sql} = ''` : `${sql} IS NULL`),
  'is not empty': ({ kind, sql }) => (kind === 'text' ? `${sql} <> ''` : `${sql} IS NOT NULL`),
};

/** Every operator; a property takes those of its kind. */
export const SEARCH_OPERATORS: readonly string[] = [
  ...new Set([...Object.values(BINARY_OPERATORS).flatMap((operators) => Object.keys(operators)), ...Object.keys(UNARY_OPERATORS)]),
];

/** A text in which LIKE takes `%`, `_` and `\` literally. */
export function escapeWildcards(value: string): string {
  return value.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
