import type { DeviceSearchRequestDto } from '../../src/devices/devices/device.dto.js';
import { anyStatement, findStatement, readStatement, walkStatement } from '../../src/devices/devices/devices.repository.js';
import { searchConditions, searchOrder } from '../../src/devices/devices/search/device-search.js';
import { FilterMatchMode } from '../../src/devices/devices/search/filter-match-mode.js';
import type { SearchBaselineCalls, SearchStatements } from '../baselines/search.js';
import { createReader, createServerReader, type CallerHeaders, type ReadableScope } from '../harness/callers.js';
import { createAdministrator, type Database, type Fleet } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import { furnishFleet, type Furniture } from '../harness/furnish.js';
import { inTurns, median, percentile } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import type { Ask, SearchCalls, SearchResult } from '../loads/searching.js';

const DEVICES = 100_000;
const PAGE_SIZE = 25;
const ROUNDS = 4;
/** Runs of each search in a round, alternating with the others. */
const REPETITIONS = 4;
const SOME_CUSTOMERS = 10;

const EVERYTHING: DeviceSearchRequestDto = {
  searchText: null,
  hideOfflineDevices: false,
  filterDefinitions: null,
  sortDefinitions: [{ propertyName: 'name', descending: false, sortOrder: 0 }],
  tagIds: null,
  tagFilterMatchMode: FilterMatchMode.Any,
  deviceGroupIds: null,
  deviceGroupFilterMatchMode: FilterMatchMode.Any,
  customerIds: null,
  showOnlyUntaggedDevices: false,
  showOnlyUngroupedDevices: false,
  page: 0,
  pageSize: PAGE_SIZE,
};

/** A caller whose searches are measured. */
interface Caller {
  readonly headers: CallerHeaders;
  /** True for a caller that finds every device of the fleet. */
  readonly findsAll: boolean;
}

/** Search: pages with counts, by text, filters, tags and groups, in several orders, compared with the same SQL without the framework. */
export const search: Goal = {
  number: 17,
  title: `search in ${whole(DEVICES)} devices`,
  measure: () =>
    Scene.play(DEVICES, async (scene) => {
      const { service, fleet } = scene;
      const furniture = await furnishFleet(service.database, fleet);
      const requests = requestsFor(furniture);
      const baseline = scene.program<SearchBaselineCalls>('baselines/search');
      const searches = requests.map((request) => statementsOf(request, fleet));
      const bareUrl = await baseline.call('start', { database: service.database, searches });
      const load = scene.program<SearchCalls>('loads/searching');

      const bodies = requests.map((request) => JSON.stringify(request));
      const bare = bodies.map((body, index): Ask => ({ url: `${bareUrl}/${index}`, body }));
      const url = `${service.url}/api/v1/devices/search`;
      const asking = ({ headers }: Pick<Caller, 'headers'>): Ask[] => bodies.map((body) => ({ url, headers, body }));
      const round = (asks: readonly Ask[]): Promise<SearchResult[]> =>
        load.call('search', Array.from({ length: REPETITIONS }, () => asks).flat());

      const measured = asking({ headers: { 'x-api-key': fleet.apiKey } });
      const callers = await callersOf(service.database, fleet, furniture);
      const bareAnswers = await round(bare);
      requireSameAnswers(bareAnswers, await round(measured));
      for (const caller of Object.values(callers)) {
        const answers = await round(asking(caller));
        if (caller.findsAll) requireSameAnswers(bareAnswers, answers);
      }
      const sides: Record<string, () => Promise<SearchResult[]>> = { bare: () => round(bare), measured: () => round(measured) };
      for (const [name, caller] of Object.entries(callers)) sides[name] = () => round(asking(caller));
      const rounds = await inTurns(ROUNDS, sides);
      return [
        ...findingsOf(rounds.bare.flat(), rounds.measured.flat(), requests.length),
        ...Object.keys(callers).map((name) => callerFinding(name, rounds.bare.flat(), rounds[name].flat(), requests.length)),
      ];
    }),
};

/** One caller of each other kind, by a name for the results: rights in a tenant, in parts of it, and on the server. */
async function callersOf(
  database: Database,
  { tenantId }: Fleet,
  { deviceGroupIds, customerIds }: Furniture,
): Promise<Readonly<Record<string, Caller>>> {
  const tenant: ReadableScope = { kind: 'Tenant', id: tenantId };
  const group = (id: string): ReadableScope => ({ kind: 'DeviceGroup', id });
  const customer = (id: string): ReadableScope => ({ kind: 'CustomerTenant', id });
  const [first, second, third] = deviceGroupIds.map(group);
  const reader = async (...scopes: readonly ReadableScope[]): Promise<Caller> => ({
    headers: await createReader(database, tenantId, scopes),
    findsAll: scopes.includes(tenant),
  });
  return {
    'a user with rights on the tenant': await reader(tenant),
    'a user with rights on one device group': await reader(first),
    'a user with rights on three device groups and ten customers': await reader(
      first,
      second,
      third,
      ...customerIds.slice(0, SOME_CUSTOMERS).map(customer),
    ),
    'a server account with rights on the tenant': { headers: await createServerReader(database, tenantId, [tenant]), findsAll: true },
    'an unrestricted server account': { headers: { 'x-api-key': await createAdministrator(database) }, findsAll: true },
  };
}

/** Typical searches: without a filter, with few and with many matches, in indexed and other orders. */
function requestsFor({ tagIds, deviceGroupIds }: Furniture): DeviceSearchRequestDto[] {
  const changes: Partial<DeviceSearchRequestDto>[] = [
    {},
    { sortDefinitions: null },
    { sortDefinitions: [{ propertyName: 'name', descending: true, sortOrder: 0 }], page: 40 },
    { sortDefinitions: [{ propertyName: 'cpuUtilization', descending: true, sortOrder: 0 }] },
    { hideOfflineDevices: true },
    { searchText: 'workstation-1234' },
    { searchText: 'PC-1f', hideOfflineDevices: true },
    { searchText: 'bookworm' },
    { searchText: 'found nowhere' },
    { tagIds: tagIds.slice(0, 1) },
    { deviceGroupIds: deviceGroupIds.slice(0, 2), hideOfflineDevices: true },
    { tagIds: tagIds.slice(0, 1), deviceGroupIds: deviceGroupIds.slice(0, 1), tagFilterMatchMode: FilterMatchMode.All },
    { showOnlyUntaggedDevices: true, showOnlyUngroupedDevices: true },
    { filterDefinitions: [{ propertyName: 'name', operator: 'contains', value: 'abc' }] },
    { filterDefinitions: [{ propertyName: 'usedMemory', operator: '>', value: '4' }], searchText: 'pc-ab' },
    // All matches are adjacent, far from the start of the order.
    { searchText: 'pc-a' },
    { filterDefinitions: [{ propertyName: 'name', operator: 'starts with', value: 'pc-f' }] },
    // Its trigrams are in every device: "pc" ends the first word of the name, and "e" begins a word of the host name.
    { searchText: 'pc-e' },
    { searchText: 'example.org', hideOfflineDevices: true },
    { sortDefinitions: [{ propertyName: 'customerName', descending: false, sortOrder: 0 }] },
    { filterDefinitions: [{ propertyName: 'customerName', operator: 'contains', value: 'customer 3' }] },
  ];
  return changes.map((change) => ({ ...EVERYTHING, ...change }));
}

/** The statements that the service runs for a request of its account, including the tenant and the scope of the account. */
function statementsOf(request: DeviceSearchRequestDto, { tenantId }: Fleet): SearchStatements {
  const scope = { sql: 'd.tenant_id = $1 AND d.tenant_id = $2::uuid', parameters: [tenantId, tenantId] };
  // No device of the fleet has a note.
  const { condition: general, shortcut } = searchConditions(scope, request);
  const condition = shortcut?.condition ?? general;
  const stretch = { offset: request.page * request.pageSize, limit: request.pageSize };
  const order = searchOrder(request.sortDefinitions);
  return {
    find: findStatement(condition, order, stretch),
    walk: walkStatement(condition, order, stretch),
    read: { sql: readStatement(scope, [], order).sql, parameters: scope.parameters },
    any: anyStatement(scope),
    noted: shortcut === null ? null : anyStatement(shortcut.exception),
  };
}

function requireSameAnswers(bare: readonly SearchResult[], measured: readonly SearchResult[]): void {
  const found = (results: readonly SearchResult[]): string =>
    results.map(({ items, totalItems }) => `${items} of ${totalItems}`).join(', ');
  if (found(bare) !== found(measured)) throw new Error(`The sides found different devices: ${found(bare)}; ${found(measured)}.`);
}

function findingsOf(bare: readonly SearchResult[], measured: readonly SearchResult[], kinds: number): Finding[] {
  const [bareTimes, times] = [timesOf(bare), timesOf(measured)];
  const [bareP99, p99] = [percentile(bareTimes, 0.99), percentile(times, 0.99)];
  const what = `search with counts, ${kinds} kinds, ${whole(DEVICES)} devices`;
  const ratios = Array.from({ length: kinds }, (_, kind) => medianOfKind(measured, kind, kinds) / medianOfKind(bare, kind, kinds));
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const common = { goal: 17, better: 'lower', notes: [] } as const;
  return [
    { ...common, what: `${what}: p99`, baseline: ms(bareP99), measured: ms(p99), value: p99, unit: 'ms', floor: 150, aim: 75 },
    { ...common, what: `${what}: p99`, baseline: ms(bareP99), measured: ms(p99), value: p99 / bareP99, unit: '', floor: 1.3, aim: 1.1 },
    {
      ...common,
      what: `${what}: sum of medians`,
      baseline: ms(sumOfMedians(bare, kinds)),
      measured: `${ms(sumOfMedians(measured, kinds))}, a kind ${Math.min(...ratios).toFixed(2)}× to ${Math.max(...ratios).toFixed(2)}×`,
      value: sumOfMedians(measured, kinds) / sumOfMedians(bare, kinds),
      unit: '',
      floor: 1.3,
      aim: 1.1,
    },
  ];
}

/** The finding about another kind of caller. The baseline finds all devices, which callers with fewer rights do not. */
function callerFinding(name: string, bare: readonly SearchResult[], measured: readonly SearchResult[], kinds: number): Finding {
  const [bareP99, p99] = [bare, measured].map((results) => percentile(timesOf(results), 0.99));
  return {
    goal: 17,
    what: `search with counts, ${kinds} kinds, ${whole(DEVICES)} devices, by ${name}: p99`,
    baseline: `${bareP99.toFixed(1)} ms`,
    measured: `${p99.toFixed(1)} ms, sum of medians ${sumOfMedians(measured, kinds).toFixed(1)} ms`,
    value: p99,
    unit: 'ms',
    better: 'lower',
    floor: 150,
    aim: 100,
    notes: [],
  };
}

function timesOf(results: readonly SearchResult[]): Float64Array {
  return Float64Array.from(results, ({ milliseconds }) => milliseconds).sort();
}

function sumOfMedians(results: readonly SearchResult[], kinds: number): number {
  return Array.from({ length: kinds }, (_, kind) => medianOfKind(results, kind, kinds)).reduce((sum, value) => sum + value, 0);
}

/** The median of one kind of search. The kinds alternate, so results of one kind are `kinds` places apart. */
function medianOfKind(results: readonly SearchResult[], kind: number, kinds: number): number {
  return median(results.filter((_, index) => index % kinds === kind).map(({ milliseconds }) => milliseconds));
}
