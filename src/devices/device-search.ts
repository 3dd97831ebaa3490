import { Architecture, SystemPlatform, Timestamp, WireTypeError, type ContractType } from '#libs/contracts';

import type { SqlCondition } from '../authorization/device-scope.js';
import { invalidField, type DomainError } from '../common/errors.js';
import type { DeviceColumnFilter, DeviceColumnSort, DeviceSearchRequestDto } from './device.dto.js';
import { FilterMatchMode } from './filter-match-mode.js';

/** What the index of search texts is made of: a shorter value is not found by it. */
const TRIGRAM_LENGTH = 3;

/** What a column holds; it decides which operators apply and how values are read. */
type ColumnKind = 'text' | 'number' | 'boolean' | 'instant' | 'platform' | 'architecture';

interface SearchColumn {
  readonly kind: ColumnKind;
  /** An expression on the devices alias `d`. */
  readonly sql: string;
  /** Whether the stored search text, which has an index, holds whatever of the column has this text in it; never unless said. */
  readonly isSearchedFor?: (text: string) => boolean;
}

const text = (sql: string): SearchColumn => ({ kind: 'text', sql });
const searchedText = (sql: string): SearchColumn => ({ kind: 'text', sql, isSearchedFor: () => true });
/** The search text holds the items one by one: it has nothing that reaches from one into the next. */
const searchedTexts = (sql: string): SearchColumn => ({
  kind: 'text',
  sql: `array_to_string(${sql}, ', ')`,
  isSearchedFor: (value) => !value.includes(',') && !value.startsWith(' '),
});
const number = (sql: string): SearchColumn => ({ kind: 'number', sql });

/** The properties that filters and sort definitions may name, in any case. */
const properties: Readonly<Record<string, SearchColumn>> = {
  id: searchedText('d.id::text'),
  tenantId: text('d.tenant_id::text'),
  customerId: text(`COALESCE(d.customer_id::text, '')`),
  customerName: text(`COALESCE((SELECT customer.name FROM customers customer WHERE customer.id = d.customer_id), '')`),
  name: searchedText('d.name'),
  alias: searchedText('d.alias'),
  agentVersion: searchedText('d.agent_version'),
  connectionId: text('d.connection_id'),
  dnsHostName: searchedText('d.dns_host_name'),
  osDescription: searchedText('d.os_description'),
  localIpV4: searchedText('d.local_ip_v4'),
  localIpV6: searchedText('d.local_ip_v6'),
  publicIpV4: searchedText('d.public_ip_v4'),
  publicIpV6: searchedText('d.public_ip_v6'),
  currentUsers: searchedTexts('d.current_users'),
  macAddresses: searchedTexts('d.mac_addresses'),
  cpuUtilization: number('d.cpu_utilization'),
  processorCount: number('d.processor_count'),
  totalMemory: number('d.total_memory'),
  usedMemory: number('d.used_memory'),
  usedMemoryPercent: number('(d.used_memory / NULLIF(d.total_memory, 0))'),
  totalStorage: number('d.total_storage'),
  usedStorage: number('d.used_storage'),
  usedStoragePercent: number('(d.used_storage / NULLIF(d.total_storage, 0))'),
  isOnline: { kind: 'boolean', sql: 'd.is_online' },
  is64Bit: { kind: 'boolean', sql: 'd.is64_bit' },
  lastSeen: { kind: 'instant', sql: 'd.last_seen' },
  platform: { kind: 'platform', sql: 'd.platform' },
  osArchitecture: { kind: 'architecture', sql: 'd.os_architecture' },
};
/** The names of the properties that filters and sort definitions may name. */
export const SEARCH_PROPERTIES: readonly string[] = Object.keys(properties);
const columns: ReadonlyMap<string, SearchColumn> = new Map(
  Object.entries(properties).map(([name, column]) => [name.toLowerCase(), column]),
);

interface Operator {
  /** The condition, from the column's expression and the placeholder of the value. */
  readonly sql: (column: string, value: string) => string;
  /** What is bound for the value that the request names; the value itself unless said otherwise. */
  readonly bound?: (value: string) => string;
  /** Whether what matches has the value somewhere in it. */
  readonly isContained?: boolean;
}

type Operators = Readonly<Record<string, Operator>>;

const compare = (symbol: string): Operator => ({ sql: (column, value) => `${column} ${symbol} ${value}` });
const like = (bound: (escaped: string) => string, symbol = 'ILIKE'): Operator => ({
  sql: (column, value) => `${column} ${symbol} ${value}`,
  bound: (value) => bound(escapeWildcards(value)),
});

const equality: Operators = {
  '=': compare('='),
  '!=': compare('IS DISTINCT FROM'),
  is: compare('='),
  'is not': compare('IS DISTINCT FROM'),
};
const order: Operators = { '>': compare('>'), '>=': compare('>='), '<': compare('<'), '<=': compare('<=') };

/** Operators that compare with a value, by the kind of column (the names that data grids send, in any case). */
const binaryOperators: Readonly<Record<ColumnKind, Operators>> = {
  text: {
    contains: { ...like((value) => `%${value}%`), isContained: true },
    'not contains': like((value) => `%${value}%`, 'NOT ILIKE'),
    'starts with': { ...like((value) => `${value}%`), isContained: true },
    'ends with': { ...like((value) => `%${value}`), isContained: true },
    equals: { sql: (column, value) => `lower(${column}) = lower(${value})`, isContained: true },
    'not equals': { sql: (column, value) => `lower(${column}) <> lower(${value})` },
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
const unaryOperators: Readonly<Record<string, (column: SearchColumn) => string>> = {
  'is empty': ({ kind, sql }) => (kind === 'text' ? `${sql} = ''` : `${sql} IS NULL`),
  'is not empty': ({ kind, sql }) => (kind === 'text' ? `${sql} <> ''` : `${sql} IS NOT NULL`),
};

/** Every operator; which of them a property takes depends on what it holds. */
export const SEARCH_OPERATORS: readonly string[] = [
  ...new Set([...Object.values(binaryOperators).flatMap((operators) => Object.keys(operators)), ...Object.keys(unaryOperators)]),
];

const truthValues: Readonly<Record<string, boolean>> = { true: true, false: false };

/** How the value of a filter is read, with the type that PostgreSQL compares; undefined when the text is no such value. */
const values: Readonly<Record<ColumnKind, { readonly type: string; readonly what: string; readonly read: (text: string) => unknown }>> = {
  text: { type: 'text', what: 'a text', read: (value) => value },
  number: { type: 'double precision', what: 'a number', read: readNumber },
  boolean: { type: 'boolean', what: 'true or false', read: (value) => ownValue(truthValues, value.trim().toLowerCase()) },
  instant: { type: 'timestamptz', what: 'a date and time in ISO 8601 form', read: readInstant },
  platform: { type: 'smallint', what: 'the name or number of a platform', read: (value) => readEnum(SystemPlatform, value) },
  architecture: { type: 'smallint', what: 'the name or number of an architecture', read: (value) => readEnum(Architecture, value) },
};

/** What a search filters by: everything of the request that is neither order nor page. */
export type SearchFilters = Omit<DeviceSearchRequestDto, 'sortDefinitions' | 'page' | 'pageSize'>;

/** The filters of a search as a condition on the devices alias `d`; 400 for an unknown property, operator or value. */
export function searchCondition(filters: SearchFilters, firstParameter: number): SqlCondition {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${firstParameter + parameters.push(value) - 1}`;
  const parts: string[] = [];

  const searched = filters.searchText?.trim() ?? '';
  if (searched !== '') parts.push(inSearchText(searched, bind));
  if (filters.hideOfflineDevices) parts.push('d.is_online');
  if (filters.showOnlyUntaggedDevices) parts.push('NOT d.is_tagged');
  if (filters.showOnlyUngroupedDevices) {
    parts.push('NOT EXISTS (SELECT 1 FROM device_group_members member WHERE member.device_id = d.id)');
  }
  if (hasItems(filters.customerIds)) parts.push(`d.customer_id = ANY(${bind(filters.customerIds)}::uuid[])`);
  if (hasItems(filters.tagIds)) parts.push(linked('device_tags', 'tag_id', filters.tagIds, filters.tagFilterMatchMode, bind));
  if (hasItems(filters.deviceGroupIds)) {
    const mode = filters.deviceGroupFilterMatchMode;
    parts.push(linked('device_group_members', 'device_group_id', filters.deviceGroupIds, mode, bind));
  }
  filters.filterDefinitions?.forEach((filter, at) => {
    const condition = columnCondition(filter, `filterDefinitions[${at}]`, bind);
    if (condition !== null) parts.push(condition);
  });
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), parameters };
}

/** The order of a search as SQL, the oldest device first where nothing else decides; 400 for an unknown property. */
export function searchOrder(sorts: readonly DeviceColumnSort[] | null): string {
  const chosen = (sorts ?? []).map((sort, at) => ({ sort, column: columnOf(sort.propertyName, `sortDefinitions[${at}]`) }));
  chosen.sort((one, other) => one.sort.sortOrder - other.sort.sortOrder);
  const keys = chosen.map(({ column: { kind, sql }, sort: { descending } }) => {
    const direction = descending ? 'DESC' : 'ASC';
    // A text is never null, and an index serves both directions only as long as nothing is said about nulls.
    return kind === 'text' ? `lower(${sql}) ${direction}` : `${sql} ${direction} NULLS LAST`;
  });
  return [...keys, 'd.created_at', 'd.id'].join(', ');
}

function columnCondition(filter: DeviceColumnFilter, field: string, bind: (value: unknown) => string): string | null {
  const column = columnOf(filter.propertyName, field);
  const name = filter.operator.trim().toLowerCase();
  const unary = ownValue(unaryOperators, name);
  if (unary !== undefined) return unary(column);
  const operators = binaryOperators[column.kind];
  const operator = ownValue(operators, name);
  if (operator === undefined) {
    const known = [...Object.keys(operators), ...Object.keys(unaryOperators)].join(', ');
    throw invalidField(`${field}.operator`, `operator must be one of ${known} for this property.`);
  }
  // A grid sends a filter as soon as its column is chosen: until a value is there it filters nothing.
  if (filter.value === null || filter.value === '') return null;
  const { type, what, read } = values[column.kind];
  const value = read(filter.value);
  if (value === undefined) throw invalidField(`${field}.value`, `value must be ${what}.`);
  const condition = operator.sql(column.sql, `${bind(operator.bound?.(filter.value) ?? value)}::${type}`);
  // The index finds those that may match, where there is a trigram to find them by.
  const isIndexed = column.isSearchedFor?.(filter.value) === true && operator.isContained === true && filter.value.length >= TRIGRAM_LENGTH;
  return isIndexed ? `${inSearchText(filter.value, bind)} AND ${condition}` : condition;
}

function inSearchText(value: string, bind: (value: unknown) => string): string {
  return `d.search_text LIKE lower(${bind(`%${escapeWildcards(value)}%`)})`;
}

function columnOf(property: string, field: string): SearchColumn {
  const column = columns.get(property.toLowerCase());
  if (column === undefined) throw unknownProperty(field);
  return column;
}

function unknownProperty(field: string): DomainError {
  return invalidField(`${field}.propertyName`, `propertyName must be one of ${Object.keys(properties).join(', ')}, in any case.`);
}

function linked(table: string, column: string, ids: readonly string[], mode: FilterMatchMode, bind: (value: unknown) => string): string {
  const distinct = [...new Set(ids)];
  const links = `SELECT link.device_id FROM ${table} link WHERE link.${column} = ANY(${bind(distinct)}::uuid[])`;
  // Read from the side of the links, once, and not again for each device.
  return mode === FilterMatchMode.Any
    ? `d.id IN (${links})`
    : `d.id IN (${links} GROUP BY link.device_id HAVING count(*) = ${distinct.length})`;
}

function hasItems<T>(list: readonly T[] | null): list is readonly T[] {
  return list !== null && list.length > 0;
}

/** A member of a table that a request names: never one that every object inherits. */
function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** LIKE takes `%`, `_` and `\` literally. */
function escapeWildcards(value: string): string {
  return value.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

function readNumber(value: string): number | undefined {
  const read = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(read) ? read : undefined;
}

function readInstant(value: string): string | undefined {
  return Timestamp.parse(value.trim())?.toString();
}

function readEnum(type: ContractType<number>, value: string): number | undefined {
  try {
    return type.decode(value.trim(), 'json');
  } catch (error) {
    if (error instanceof WireTypeError) return undefined;
    throw error;
  }
}
