import { beforeAll, describe, expect, it } from 'vitest';

import {
  agentClient,
  hubFailure,
  hubOk,
  hubValue,
  isObsolete,
  viewerHub,
  type AgentMethodName,
  type Encoding,
  type HubMethod,
  type HubResult,
  type ObsoleteForm,
  type ViewerMethod,
  type WireType,
} from '#libs/contracts';

import { devicePermission, Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { KEY_PENDING_REASON } from '../../../src/platform/common/errors/errors.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { broadRights, callerKinds, createCaller, giveRights, type CallerKind } from '../../api/matrix/callers.js';
import { Browser } from '../../support/callers/browser.js';
import { createKeyedDevice, type FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { notingAgent, type ReceivedCall } from './noting-agent.js';
import { DESKTOP_SESSION, EFFECTS, PUBLIC_URL, VALID_CALLS, type CallFacts } from './viewer-calls.js';

/*
 * Every method of the viewer hub, in its current and its obsolete form and in both encodings: what the device receives, what the viewer
 * is answered, and that a refusal sends nothing. The expectations are made from the descriptors, which a test compares with the contract.
 */

/** A form of a method with all that the matrix expects of it. */
interface Row {
  readonly name: string;
  readonly method: ViewerMethod | ObsoleteForm;
  readonly rules: ViewerMethod;
  readonly args: (deviceId: string) => readonly unknown[];
  readonly permission: PermissionDefinition | null;
  readonly succeeds: HubResult;
  readonly refused: HubResult;
  readonly unknown: HubResult;
  readonly offline: HubResult;
  readonly pending: HubResult;
  /** Returns the arguments that the agent receives; undefined where none is called. */
  readonly receives: ((facts: CallFacts) => readonly unknown[]) | undefined;
  readonly fetches: Buffer | null;
}

// JSON is read into a Buffer, MessagePack into the bytes as they are: equal when their bytes are.
expect.addEqualityTesters([
  (a: unknown, b: unknown) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : undefined),
]);

const table: Readonly<Record<string, ViewerMethod | ObsoleteForm>> = viewerHub;
const calls: Readonly<Record<string, (deviceId: string) => readonly unknown[]>> = VALID_CALLS;

interface AnyEffect {
  readonly receives?: (facts: CallFacts) => readonly unknown[];
  readonly answers?: unknown;
  readonly succeeds?: HubResult;
  readonly offline?: HubResult;
  readonly pending?: HubResult;
  readonly fetches?: Buffer;
}
const effects: Readonly<Record<string, AnyEffect>> = EFFECTS;

const ROWS = Object.values(table).map(rowOf);
const ABOUT_ONE_DEVICE = ROWS.filter(({ rules }) => rules.access.to === 'a device');
const RESTRICTED = ABOUT_ONE_DEVICE.filter((row): row is Row & { readonly permission: PermissionDefinition } => row.permission !== null);
const DEVICE_PERMISSIONS = Object.values<PermissionDefinition>(Permission).filter(({ name }) => name.startsWith('device.'));

/** Answers of the matrix's agents. */
const ANSWERS = new Map<AgentMethodName, unknown>(
  ROWS.flatMap(({ rules }): [AgentMethodName, unknown][] => {
    const { answers } = effects[rules.name];
    return rules.relaysTo === undefined || answers === undefined ? [] : [[rules.relaysTo, answers]];
  }),
);

/** The kinds of principals whose rights come from assignments. Sessions of logon tokens have a part of their own. */
const KINDS: Readonly<Record<Encoding, readonly CallerKind[]>> = {
  json: callerKinds,
  // Rights do not depend on the encoding.
  messagepack: ['tenant account'],
};

function rowOf(method: ViewerMethod | ObsoleteForm): Row {
  const rules = isObsolete(method) ? (table[method.replacedBy] as ViewerMethod) : method;
  const { access, relaysTo, exceptionReason, unknownDeviceReason } = rules;
  const { receives, succeeds = hubOk(), offline, pending, fetches = null } = effects[rules.name];
  const failsOffline = relaysTo === undefined ? succeeds : hubFailure(exceptionReason ?? 'There is no reason for it.');
  const refused = hubFailure('Forbidden.');
  return {
    name: method.name,
    method,
    rules,
    args: calls[method.name],
    permission: 'permission' in access ? devicePermission(access.permission) : null,
    succeeds,
    refused,
    unknown: unknownDeviceReason === undefined ? refused : hubFailure(unknownDeviceReason),
    offline: offline ?? failsOffline,
    pending: pending ?? (relaysTo === undefined ? succeeds : hubFailure(KEY_PENDING_REASON)),
    receives,
    fetches,
  };
}

/** Returns the answer of a form to the result of its method, on the wire. */
function onWire({ method: { returns } }: Row, result: HubResult, encoding: Encoding): unknown {
  if (returns === undefined) return null;
  if ('stream' in returns) throw new TypeError('No viewer is answered a stream.');
  const type: WireType<unknown> = returns;
  if (type.name.startsWith('HubResult')) return type.encode(result, encoding);
  // The one form with a bare answer: the sessions alone, and none where it failed.
  expect(type.name).toBe('DesktopSession[]');
  return type.encode((result as { value?: { sessions?: unknown } }).value?.sessions ?? [], encoding);
}

describe.each<Encoding>(['json', 'messagepack'])('the viewer hub in %s', (encoding) => {
  const server = testServer({ Service_AppOptions__PublicUrl: PUBLIC_URL });
  const tenant = testTenant(server);
  const foreign = testTenant(server);
  let device: KeyedDevice;
  let neighbour: KeyedDevice;
  /** A device that reports with a key that waits for approval. */
  let unapproved: KeyedDevice;
  let foreigner: KeyedDevice;
  const agents: FakeAgent[] = [];
  const received: ReceivedCall[] = [];

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    neighbour = await createKeyedDevice(server, tenant);
    unapproved = await createKeyedDevice(server, tenant, { keyPendingSince: server.clock.now() });
    foreigner = await createKeyedDevice(server, foreign);
    for (const each of [device, neighbour, unapproved, foreigner]) {
      agents.push(server.alsoStop(await notingAgent(server, each, encoding, ANSWERS, received)));
    }
  });

  /** Returns the calls that the agents have received by now. Earlier calls of the server come before the answer to a report. */
  async function sentByNow(): Promise<ReceivedCall[]> {
    await Promise.all(agents.map((agent) => agent.heartbeat()));
    return received.splice(0);
  }

  async function expectAnswer(viewer: TestViewer, row: Row, deviceId: string, expected: HubResult): Promise<void> {
    expect(await viewer.callRaw(row.method, row.args(deviceId))).toEqual(onWire(row, expected, encoding));
  }

  describe('called by a service account', () => {
    const viewers = new Map<string, { viewer: TestViewer; name: string }>();

    /** A connected viewer with exactly the permission, if any. It is created once. */
    async function viewerWith(permission: PermissionDefinition | null): Promise<{ viewer: TestViewer; name: string }> {
      const key = permission?.name ?? '';
      const known = viewers.get(key);
      if (known !== undefined) return known;
      const { headers, account } = await callerWith(server, tenant, permission === null ? [] : [permission], at.tenant(tenant));
      const made = { viewer: server.alsoStop(await TestViewer.connect(server, headers, encoding)), name: account.name };
      viewers.set(key, made);
      return made;
    }

    it.each(ROWS)('$name answers, and the device receives exactly what it stands for', async (row) => {
      const { viewer, name } = await viewerWith(row.permission);
      await expectAnswer(viewer, row, device.id, row.succeeds);
      if (row.rules.relaysTo !== undefined) await eventually('the agent is called', () => received.length > 0);
      const sent = await sentByNow();
      if (row.receives === undefined) {
        expect(sent).toEqual([]);
        return;
      }
      expect(sent).toHaveLength(1);
      const [{ deviceId, method, raw, fetched }] = sent;
      // A device that sleeps is woken by its neighbour.
      expect([deviceId, method]).toEqual([row.rules.relaysTo === 'InvokeWakeDevice' ? neighbour.id : device.id, row.rules.relaysTo]);
      expect(fetched).toEqual(row.fetches);
      const { parameters }: HubMethod = agentClient[method as AgentMethodName];
      const types = parameters.map((type) => ('stream' in type ? type.stream : type));
      const args = types.map((type, index) => type.decode(raw[index], encoding));
      expect(args).toEqual(row.receives({ deviceId: device.id, connectionId: viewer.connectionId, name }));
      // Nothing but that, and under the names of the encoding.
      expect(raw).toEqual(types.map((type, index) => type.encode(args[index], encoding)));
    });

    it.each(ABOUT_ONE_DEVICE)('$name answers for a device of another tenant what it answers for none, and sends nothing', async (row) => {
      const { viewer } = await viewerWith(row.permission);
      for (const deviceId of [newGuid(), foreigner.id]) await expectAnswer(viewer, row, deviceId, row.unknown);
      expect(await sentByNow()).toEqual([]);
    });

    it.each(ABOUT_ONE_DEVICE)('$name answers at once for a device that is offline', async (row) => {
      const { viewer } = await viewerWith(row.permission);
      const { id } = await createDevice(server, { tenantId: tenant.id });
      await expectAnswer(viewer, row, id, row.offline);
    });

    it.each(ABOUT_ONE_DEVICE)('$name does not reach a device whose key waits for approval', async (row) => {
      const { viewer } = await viewerWith(row.permission);
      await expectAnswer(viewer, row, unapproved.id, row.pending);
      expect((await sentByNow()).filter(({ deviceId }) => deviceId === unapproved.id)).toEqual([]);
    });
  });

  describe.each(KINDS[encoding])('called by a %s', (kind) => {
    const viewers = new Map<string, TestViewer>();

    /** A connected viewer of the kind with these permissions in the tenant. It is created once. */
    async function viewerWith(permissions: readonly PermissionDefinition[]): Promise<TestViewer> {
      const key = permissions.map(({ name }) => name).join();
      const known = viewers.get(key);
      if (known !== undefined) return known;
      const caller = await createCaller(server, tenant, kind);
      await giveRights(server, broadRights(caller, permissions, tenant));
      const viewer = server.alsoStop(await TestViewer.connect(server, caller.headers, encoding));
      viewers.set(key, viewer);
      return viewer;
    }

    it.each(RESTRICTED)('$name is refused with every other permission, and allowed with exactly its own', async (row) => {
      const refused = await viewerWith(DEVICE_PERMISSIONS.filter((other) => other !== row.permission));
      await expectAnswer(refused, row, device.id, row.refused);
      const allowed = await viewerWith([row.permission]);
      await expectAnswer(allowed, row, device.id, row.succeeds);
      if (row.receives === undefined) return;
      // A message of the refused call would have come before.
      await eventually('an agent is called', () => received.length > 0);
      expect(received.splice(0)).toHaveLength(1);
    });
  });

  describe('called by the session of a logon token', () => {
    const viewers = new Map<string, TestViewer>();

    /** The page of a browser that has opened a token for the device, with one permission and one desktop session. It is created once. */
    async function viewerWith({ name }: PermissionDefinition, desktopSession: number): Promise<TestViewer> {
      const key = `${name} ${desktopSession}`;
      const known = viewers.get(key);
      if (known !== undefined) return known;
      const limits = { permissions: [name], allowedDesktopSessionIds: [desktopSession] };
      const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: key, ...limits };
      const { deviceAccessUrl } = (await server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
      const browser = new Browser(server);
      await browser.get(deviceAccessUrl);
      const headers = { cookie: browser.cookieHeader, origin: server.url };
      const viewer = server.alsoStop(await TestViewer.connect(server, headers, encoding));
      viewers.set(key, viewer);
      return viewer;
    }

    const notAuthorized = hubFailure('The requested desktop session is not authorized.');

    it.each(RESTRICTED)('$name reaches the device of the token, and no other', async (row) => {
      const viewer = await viewerWith(row.permission, DESKTOP_SESSION);
      await expectAnswer(viewer, row, neighbour.id, row.refused);
      const reachesAll = row.rules.reachesAllDesktops === true;
      await expectAnswer(viewer, row, device.id, reachesAll ? notAuthorized : row.succeeds);
      if (row.receives === undefined || reachesAll) return;
      await eventually('the agent is called', () => received.some(({ method }) => method === row.rules.relaysTo));
      // The device is asked whose process it is.
      const asked = row.rules.desktopProcess === undefined ? [] : ['GetActiveDesktopSessions'];
      expect(received.splice(0).map(({ method }) => method)).toEqual([...asked, row.rules.relaysTo]);
    });

    it.each(RESTRICTED.filter(({ rules }) => rules.desktopProcess !== undefined || rules.reachesAllDesktops === true))(
      '$name is refused for the process of a desktop session that the token leaves out',
      async (row) => {
        const viewer = await viewerWith(row.permission, DESKTOP_SESSION + 1);
        await expectAnswer(viewer, row, device.id, notAuthorized);
        expect((await sentByNow()).filter(({ method }) => method !== 'GetActiveDesktopSessions')).toEqual([]);
      },
    );

    it.each(RESTRICTED.filter(({ permission }) => permission !== Permission.DeviceRead))(
      '$name is refused when the token does not have its permission',
      async (row) => {
        await expectAnswer(await viewerWith(Permission.DeviceRead, DESKTOP_SESSION), row, device.id, row.refused);
        expect(await sentByNow()).toEqual([]);
      },
    );

    it.each(RESTRICTED.filter(({ rules }) => rules.desktopSessions?.in === 'request'))(
      '$name is refused for a desktop session that the token leaves out',
      async (row) => {
        const viewer = await viewerWith(row.permission, DESKTOP_SESSION + 1);
        await expectAnswer(viewer, row, device.id, notAuthorized);
        expect(await sentByNow()).toEqual([]);
      },
    );

    it.each(RESTRICTED.filter(({ rules }) => rules.desktopSessions?.in === 'answer'))(
      '$name leaves out desktop sessions that the token leaves out',
      async (row) => {
        const viewer = await viewerWith(row.permission, DESKTOP_SESSION + 1);
        await expectAnswer(viewer, row, device.id, hubValue({ sessions: [] }));
        expect(await sentByNow()).toHaveLength(1);
      },
    );
  });
});
