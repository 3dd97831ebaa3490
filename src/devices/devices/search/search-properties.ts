import { FIELD_NAMES, fieldOf, type FieldName, type FieldType } from '../row/device-fields.js';
import { columnOf, fieldSql } from '../row/device-sql.js';

/** Kind of a property's values. It decides which operators apply and how values are read. */
export type SearchKind = 'text' | 'number' | 'boolean' | 'instant' | 'platform' | 'architecture';

/** A property that filters and sort definitions may name. */
export interface SearchProperty {
  readonly kind: SearchKind;
  /** An expression on the devices alias `d`. */
  readonly sql: string;
  /** Checks that the search text, which has an index, contains the text for every device whose property contains it. */
  readonly isIndexed: (text: string) => boolean;
}

const ALIAS = 'd';

/** Sizes in GiB whose quotient the database can always hold. Devices may report any number, and one must not end the searches of others. */
const DIVISIBLE = 'BETWEEN 1e-12 AND 1e12';

/** The alias of the customer of a searched device. */
const CUSTOMER = 'searched_customer';

/**
 * The tables of a search with these conditions and orders. A condition or order by customer takes a join and no query for each device.
 * Other searches have no join: with one, PostgreSQL counts the devices without the index that holds all counted columns.
 */
export function searchedDevices(...conditionsAndOrders: readonly string[]): string {
  const namesCustomer = conditionsAndOrders.some((sql) => sql.includes(`${CUSTOMER}.`));
  return namesCustomer ? `devices ${ALIAS} LEFT JOIN customers ${CUSTOMER} ON ${CUSTOMER}.id = ${ALIAS}.customer_id` : `devices ${ALIAS}`;
}

/** Kinds of searched fields, by their type; fields of other types are not searched. */
const KINDS: Partial<Record<FieldType, SearchKind>> = {
  guid: 'text',
  text: 'text',
  texts: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  instant: 'instant',
  platform: 'platform',
  architecture: 'architecture',
};

/** Types that are searched as text but hold something else. */
const AS_TEXT: Partial<Record<FieldType, (sql: string) => string>> = {
  guid: (sql) => `${sql}::text`,
  texts: (sql) => `array_to_string(${sql}, ', ')`,
};

const properties: Readonly<Record<string, SearchProperty>> = {
  ...Object.fromEntries(FIELD_NAMES.flatMap(entryOf)),
  usedMemoryPercent: share('usedMemory', 'totalMemory'),
  usedStoragePercent: share('usedStorage', 'totalStorage'),
};
const byLowerCaseName = new Map(Object.entries(properties).map(([name, property]) => [name.toLowerCase(), property]));

/** The names of the properties that filters and sort definitions may name. */
export const SEARCH_PROPERTIES: readonly string[] = Object.keys(properties);

/** The property of that name, in any case. */
export function findSearchProperty(name: string): SearchProperty | undefined {
  return byLowerCaseName.get(name.toLowerCase());
}

function entryOf(name: FieldName): [FieldName, SearchProperty][] {
  const { type, nullable, inSearchText, searchSql } = fieldOf(name);
  const kind = KINDS[type];
  if (kind === undefined) return [];
  const value = searchSql ?? fieldSql(name, ALIAS);
  const text = AS_TEXT[type]?.(value) ?? value;
  const sql = kind === 'text' && nullable === true ? `COALESCE(${text}, '')` : text;
  if (inSearchText !== true) return [[name, { kind, sql, isIndexed: () => false }]];
  return [[name, { kind, sql, isIndexed: type === 'texts' ? isWithinOneItem : () => true }]];
}

/** The search text holds the items of a list one by one, so that it does not contain a text that spans two of them. */
function isWithinOneItem(text: string): boolean {
  return !text.includes(',') && !text.startsWith(' ');
}

/** A property that is one field divided by another, 0 to 1; null if one of them is no sensible size. */
function share(usedField: FieldName, totalField: FieldName): SearchProperty {
  const [used, total] = [usedField, totalField].map((field) => `${ALIAS}.${columnOf(field)}`);
  const sql = `(CASE WHEN ${total} ${DIVISIBLE} AND (${used} = 0 OR ${used} ${DIVISIBLE}) THEN ${used} / ${total} END)`;
  return { kind: 'number', sql, isIndexed: () => false };
}
