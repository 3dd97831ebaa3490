import { Architecture, SystemPlatform, Timestamp, WireTypeError, type ContractType } from '#libs/contracts';

import type { SqlCondition } from '../../../access/authorization/evaluation/device-scope.js';
import { invalidField } from '../../../platform/common/errors/errors.js';
import type { DeviceColumnFilter, DeviceColumnSort, DeviceSearchRequestDto } from '../device.dto.js';
import { FilterMatchMode } from './filter-match-mode.js';
import { BINARY_OPERATORS, escapeWildcards, UNARY_OPERATORS } from './search-operators.js';
import { findSearchProperty, SEARCH_PROPERTIES, type SearchKind, type SearchProperty } from './search-properties.js';

/** The index on search texts consists of trigrams and does not find shorter values. */
const TRIGRAM_LENGTH = 3;

const truthValues: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Readers of a filter's value, with the type that PostgreSQL compares. `read` returns undefined for a text that is no such value. */
const values: Readonly<Record<SearchKind, { readonly type: string; readonly what: string; readonly read: (text: string) => unknown }>> = {
  text: { type: 'text', what: 'a text', read: (value) => value },
  number: { type: 'double precision', what: 'a number', read: readNumber },
  boolean: { type: 'boolean', what: 'true or false', read: (value) => ownValue(truthValues, value.trim().toLowerCase()) },
  instant: { type: 'timestamptz', what: 'a date and time in ISO 8601 form', read: readInstant },
  platform: { type: 'smallint', what: 'the name or number of a platform', read: (value) => readEnum(SystemPlatform, value) },
  architecture: { type: 'smallint', what: 'the name or number of an architecture', read: (value) => readEnum(Architecture, value) },
};

const IN_TEXTS = (pattern: string): string =>
  `SELECT searched.device_id FROM device_search_texts searched WHERE searched.search_text LIKE ${pattern}`;
const IN_NOTES = [
  (pattern: string): string => `SELECT noted.device_id FROM device_notes noted WHERE searchable(noted.note) LIKE ${pattern}`,
  (pattern: string): string => `SELECT held.device_id FROM device_field_values held WHERE searchable(held.value) LIKE ${pattern}`,
];

/** Filters of a search: the whole request except for order and page. */
export type SearchFilters = Omit<DeviceSearchRequestDto, 'sortDefinitions' | 'page' | 'pageSize'>;

/** The places in which a search looks for its text: search texts alone, or notes and values of fields as well. */
type SearchedPlaces = 'texts' | 'everywhere';

/** The filters of a search as a condition on the devices alias `d`; 400 for an unknown property, operator or value. */
function searchCondition(filters: SearchFilters, firstParameter: number, places: SearchedPlaces = 'everywhere'): SqlCondition {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${firstParameter + parameters.push(value) - 1}`;
  const parts: string[] = [];

  const searched = searchedText(filters);
  if (searched !== '')
    parts.push(foundIn(places === 'texts' || !isInNotes(searched) ? [IN_TEXTS] : [IN_TEXTS, ...IN_NOTES], searched, bind));
  const contained = containedTexts(filters);
  if (contained.length > 0) parts.push(withTexts(contained, bind));
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
    const condition = filterCondition(filter, `filterDefinitions[${at}]`, bind);
    if (condition !== null) parts.push(condition);
  });
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), parameters };
}

/** The conditions of a search, with their parameters. */
export interface SearchConditions {
  /** The scope and all filters. */
  readonly condition: SqlCondition;
  /** A cheaper condition that finds the same devices, unless a device meets the exception; null when there is none. */
  readonly shortcut: { readonly condition: SqlCondition; readonly exception: SqlCondition } | null;
}

/**
 * The filters of a search within a scope. When no note and no value of a field contains its text, the search leaves them out: PostgreSQL then
 * need not collect the devices of several places, and can stop at the end of a page.
 */
export function searchConditions(scope: SqlCondition, filters: SearchFilters): SearchConditions {
  const first = scope.parameters.length + 1;
  const within = ({ sql, parameters }: SqlCondition): SqlCondition => ({
    sql: `${scope.sql} AND ${sql}`,
    parameters: [...scope.parameters, ...parameters],
  });
  const condition = within(searchCondition(filters, first));
  const text = searchedText(filters);
  if (!isInNotes(text)) return { condition, shortcut: null };
  const parameters: unknown[] = [];
  const noted = foundIn(IN_NOTES, text, (value) => `$${first + parameters.push(value) - 1}`);
  const exception = within({ sql: noted, parameters });
  return { condition, shortcut: { condition: within(searchCondition(filters, first, 'texts')), exception } };
}

/** The order of a search as SQL; devices that are equal in it are ordered by age, oldest first. 400 for an unknown property. */
export function searchOrder(sorts: readonly DeviceColumnSort[] | null): string {
  const chosen = (sorts ?? []).map((sort, at) => ({ sort, property: propertyOf(sort.propertyName, `sortDefinitions[${at}]`) }));
  chosen.sort((one, other) => one.sort.sortOrder - other.sort.sortOrder);
  const keys = chosen.map(({ property: { kind, sql }, sort: { descending } }) => {
    const direction = descending ? 'DESC' : 'ASC';
    // A text is never null. An index serves both directions only if the order does not mention nulls.
    return kind === 'text' ? `lower(${sql}) ${direction}` : `${sql} ${direction} NULLS LAST`;
  });
  return [...keys, 'd.created_at', 'd.id'].join(', ');
}

function filterCondition(filter: DeviceColumnFilter, field: string, bind: (value: unknown) => string): string | null {
  if (filter.propertyName === null || filter.operator === null) return null;
  const property = propertyOf(filter.propertyName, field);
  const name = filter.operator.trim().toLowerCase();
  const unary = ownValue(UNARY_OPERATORS, name);
  if (unary !== undefined) return unary(property);
  const operators = BINARY_OPERATORS[property.kind];
  const operator = ownValue(operators, name);
  if (operator === undefined) {
    const known = [...Object.keys(operators), ...Object.keys(UNARY_OPERATORS)].join(', ');
    throw invalidField(`${field}.operator`, `operator must be one of ${known} for this property.`);
  }
  // A data grid sends a filter as soon as its column is chosen. Without a value it filters nothing.
  if (filter.value === null || filter.value === '') return null;
  const { type, what, read } = values[property.kind];
  const value = read(filter.value);
  if (value === undefined) throw invalidField(`${field}.value`, `value must be ${what}.`);
  return operator.sql(property.sql, `${bind(operator.bound?.(filter.value) ?? value)}::${type}`);
}

/**
 * The texts of filters that every device that matches has in its search text. Where the index can be used for a filter, it finds the devices
 * that may match, and the condition of the filter decides.
 */
function containedTexts({ filterDefinitions }: SearchFilters): string[] {
  return (filterDefinitions ?? []).flatMap(({ propertyName, operator, value }) => {
    if (propertyName === null || operator === null || value === null) return [];
    const property = findSearchProperty(propertyName);
    if (property === undefined || value.length < TRIGRAM_LENGTH || !property.isIndexed(value)) return [];
    return ownValue(BINARY_OPERATORS[property.kind], operator.trim().toLowerCase())?.isContained === true ? [value] : [];
  });
}

function searchedText({ searchText }: SearchFilters): string {
  return searchText?.trim() ?? '';
}

/** Notes can be long, so that a text which is too short for their index is not looked for there. */
function isInNotes(text: string): boolean {
  return text.length >= TRIGRAM_LENGTH;
}

/**
 * The condition that one of the places contains the text. The union is distinct: PostgreSQL would otherwise guess that it names few devices,
 * and look up each of many by itself.
 */
function foundIn(places: readonly ((pattern: string) => string)[], text: string, bind: (value: unknown) => string): string {
  const pattern = `searchable(${bind(`%${escapeWildcards(text)}%`)})`;
  return `d.id IN (${places.map((place) => place(pattern)).join(' UNION ')})`;
}

/** The condition that the search text contains all the texts. */
function withTexts(texts: readonly string[], bind: (value: unknown) => string): string {
  const conditions = texts.map((text) => `searched.search_text LIKE searchable(${bind(`%${escapeWildcards(text)}%`)})`);
  return `d.id IN (SELECT searched.device_id FROM device_search_texts searched WHERE ${conditions.join(' AND ')})`;
}

function propertyOf(name: string, field: string): SearchProperty {
  const property = findSearchProperty(name);
  if (property !== undefined) return property;
  throw invalidField(`${field}.propertyName`, `propertyName must be one of ${SEARCH_PROPERTIES.join(', ')}, in any case.`);
}

function linked(table: string, column: string, ids: readonly string[], mode: FilterMatchMode, bind: (value: unknown) => string): string {
  const distinct = [...new Set(ids)];
  const links = `SELECT link.device_id FROM ${table} link WHERE link.${column} = ANY(${bind(distinct)}::uuid[])`;
  // The subquery reads the links once for all devices, not once for each of them.
  return mode === FilterMatchMode.Any
    ? `d.id IN (${links})`
    : `d.id IN (${links} GROUP BY link.device_id HAVING count(*) = ${distinct.length})`;
}

function hasItems<T>(list: readonly T[] | null): list is readonly T[] {
  return list !== null && list.length > 0;
}

/** The own member of a table that a request names; members that every object inherits do not count. */
function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
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
