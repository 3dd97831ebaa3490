import type { Schemas } from '../schemas.js';
import { isOperator, isProperty, type Operator, OPERATORS, operatorsFor, type Property } from './properties.js';
import { choiceOf, listOf, oneOf, type SearchChange } from '../search-params.js';

/*
 * Search of the list of devices: as its address holds it, and as the request to the service.
 */

type SearchRequest = Schemas['DeviceSearchRequestDto'];
type ColumnFilter = NonNullable<SearchRequest['filterDefinitions']>[number];

/** The search parameters of the list: everything that decides which devices it shows, in which order. */
export interface DeviceSearch {
  readonly q?: string;
  readonly state?: 'online' | 'offline';
  readonly customer?: string;
  readonly group?: readonly string[];
  readonly groups?: 'all';
  readonly tag?: readonly string[];
  readonly tags?: 'all';
  readonly ungrouped?: 'yes';
  readonly untagged?: 'yes';
  /** Conditions as `property.operator.value`. */
  readonly f?: readonly string[];
  /** Properties to sort by, with `-` before those in descending order. */
  readonly sort?: string;
  readonly cols?: string;
  /** The view of the user's own that the list was opened as: it says nothing of the devices. */
  readonly view?: string;
}

/** A change of the search of the list of devices. */
export type DeviceSearchChange = SearchChange<DeviceSearch>;

/** Online devices first, then by name. */
const DEFAULT_SORT = '-isOnline,name';

/** Devices of one page of the search. */
export const PAGE_SIZE = 100;

/** Reads the address. Unknown parts are dropped, never an error. */
export function readDeviceSearch(search: Record<string, unknown>): DeviceSearch {
  return {
    q: oneOf(search.q),
    state: choiceOf(search.state, ['online', 'offline'] as const),
    customer: oneOf(search.customer),
    group: listOf(search.group),
    groups: choiceOf(search.groups, ['all'] as const),
    tag: listOf(search.tag),
    tags: choiceOf(search.tags, ['all'] as const),
    ungrouped: choiceOf(search.ungrouped, ['yes'] as const),
    untagged: choiceOf(search.untagged, ['yes'] as const),
    f: listOf(search.f)?.filter((text) => readCondition(text) !== null),
    sort: oneOf(search.sort),
    cols: oneOf(search.cols),
    view: oneOf(search.view),
  };
}

/** A condition on one property. */
export interface Condition {
  readonly property: Property;
  readonly operator: Operator;
  readonly value: string;
}

/** Condition of `osDescription.contains.Server 2022`; null for another text. */
export function readCondition(text: string): Condition | null {
  const [, property = '', operator = '', value = ''] = /^(\w+)\.(\w+)\.(.+)$/s.exec(text) ?? [];
  return isProperty(property) && isOperator(operator) && operatorsFor(property).includes(operator) ? { property, operator, value } : null;
}

export const writeCondition = ({ property, operator, value }: Condition): string => `${property}.${operator}.${value}`;

/** Ages of `lastSeen` in addresses, `7d`, become instants when the search is sent. */
const AGE = /^(\d{1,4})d$/;
const DAY_MS = 86_400_000;

/** The days of an age; null for another value. */
export function daysOf(value: string): number | null {
  const [, days] = AGE.exec(value) ?? [];
  return days === undefined ? null : Number(days);
}

function filterOf({ property, operator, value }: Condition, now: number): ColumnFilter {
  const days = property === 'lastSeen' ? daysOf(value) : null;
  const sent = days === null ? value : new Date(now - days * DAY_MS).toISOString();
  return { propertyName: property, operator: OPERATORS[operator].sent, value: sent };
}

/** One property that the list is sorted by. */
export interface SortKey {
  readonly property: Property;
  readonly descending: boolean;
}

export function readSort(sort = DEFAULT_SORT): SortKey[] {
  const keys = sort.split(',').map((key) => ({ property: key.replace(/^-/, ''), descending: key.startsWith('-') }));
  return keys.filter((key): key is SortKey => isProperty(key.property)).slice(0, 5);
}

export const writeSort = (keys: readonly SortKey[]): string =>
  keys.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');

/** A click on a header: ascending, then descending, then the default order again. */
export function nextSort(sort: string | undefined, property: Property): string | undefined {
  const [first] = sort === undefined ? [] : readSort(sort);
  if (first?.property !== property) return property;
  return first.descending ? undefined : `-${property}`;
}

/** The body of the search for these devices. */
export function toSearchRequest(search: DeviceSearch, page: number, pageSize = PAGE_SIZE, now = Date.now()): Required<SearchRequest> {
  const conditions = (search.f ?? []).map(readCondition).filter((condition) => condition !== null);
  if (search.state === 'offline') conditions.push({ property: 'isOnline', operator: 'is', value: 'false' });
  return {
    searchText: search.q ?? null,
    hideOfflineDevices: search.state === 'online',
    filterDefinitions: conditions.map((condition) => filterOf(condition, now)),
    sortDefinitions: readSort(search.sort).map(({ property, descending }, sortOrder) => ({
      propertyName: property,
      descending,
      sortOrder,
    })),
    tagIds: [...(search.tag ?? [])],
    tagFilterMatchMode: search.tags === 'all' ? 'All' : 'Any',
    deviceGroupIds: [...(search.group ?? [])],
    deviceGroupFilterMatchMode: search.groups === 'all' ? 'All' : 'Any',
    customerIds: search.customer === undefined ? [] : [search.customer],
    showOnlyUntaggedDevices: search.untagged === 'yes',
    showOnlyUngroupedDevices: search.ungrouped === 'yes',
    page,
    pageSize,
  };
}

/** True if a filter narrows the list down. */
export function isFiltered({ sort: _sort, cols: _cols, view: _view, ...filters }: DeviceSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined && value.length > 0);
}

/** The same list without filters. The customer is left to the scope of all lists. */
export const withoutFilters = ({ sort, cols }: DeviceSearch): DeviceSearch => ({ sort, cols });

/** A device as the search answers it. */
export type Device = NonNullable<Schemas['DeviceSearchResponseDto']['items']>[number];
