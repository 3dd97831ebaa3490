import { beforeAll, describe, expect, it } from 'vitest';

import {
  agentClient,
  DesktopSession,
  DtoType,
  hubFailure,
  hubOk,
  hubValue,
  PowerStateChangeType,
  Timestamp,
  viewerHub,
  type Encoding,
  type PwshCompletionsResponseDto,
} from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../src/authorization/permission.js';
import { KEY_PENDING_REASON } from '../../src/common/errors.js';
import { newGuid } from '../../src/common/guid.js';
import { createKeyedDevice, FakeAgent, waitOffline, type KeyedDevice } from '../support/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createDevice, createServiceAccountWithKey, grant, holder } from '../support/factories.js';
import { testServer, testTenant } from '../support/test-server.js';
import { callerWith, TestViewer } from './viewer-client.js';

const TERMINAL_ID = newGuid();
const INPUT = { terminalId: TERMINAL_ID, input: 'ls', viewerConnectionId: 'forged' };
const SESSION = DesktopSession.decode(
  { systemSessionId: 4, name: 'Console', desktopName: 'Default', username: 'operator', processId: 17 },
  'json',
);
const COMPLETIONS: PwshCompletionsResponseDto = {
  replacementIndex: 1,
  replacementLength: 2,
  completionMatches: [],
  hasMorePages: false,
  totalCount: 0,
  currentPage: 0,
};

const succeeded = { isSuccess: true, reason: null, errorCode: null };
const failed = (reason: string): object => ({ isSuccess: false, reason, errorCode: null });
const failedWithoutValue = (reason: string): object => ({ ...failed(reason), value: null });

const isFailure = (answer: unknown): answer is object =>
  typeof answer === 'object' && (answer as { isSuccess?: unknown }).isSuccess === false;

/** A method in one of its forms, and its exact answer in each situation. */
interface Case {
  readonly name: string;
  readonly permission: PermissionDefinition;
  readonly call: (viewer: TestViewer, deviceId: string) => Promise<unknown>;
  readonly allowed: unknown;
  readonly refused: unknown;
  /** The answer for an unknown device, where it differs from a refusal. */
  readonly unknown?: unknown;
  readonly offline: unknown;
  /** The answer while the device's key waits for approval, where it says more than that. */
  readonly pending?: unknown;
  /** The agent method that receives the call. */
  readonly reaches?: string;
}

const completionsRequest = (deviceId: string) => ({
  deviceId,
  terminalId: TERMINAL_ID,
  lastCompletionInput: 'Get-',
  lastCursorIndex: 4,
  viewerConnectionId: 'forged',
  forward: null,
  page: 0,
  pageSize: 50,
});

const accessOf = (...allowed: string[]): object =>
  Object.fromEntries(
    [
      'canViewOverview',
      'canUseRemoteControl',
      'canUseTerminal',
      'canUseChat',
      'canReadFileSystem',
      'canReadLogs',
      'canUseVncRelay',
      'canInteractWithRemoteControl',
      'canBlockRemoteInput',
      'canReadClipboard',
      'canWriteClipboard',
      'canSendCtrlAltDel',
    ].map((name) => [name, allowed.includes(name)]),
  );

const remoteControlRequest = (deviceId: string) => ({
  sessionId: newGuid(),
  websocketUri: 'wss://devices.example.org/relay?role=responder',
  targetSystemSession: 4,
  targetProcessId: 17,
  deviceId,
  notifyUserOnSessionStart: false,
  requireConsent: true,
  viewerConnectionId: 'forged',
  viewerName: 'forged',
});

const vncRequest = (deviceId: string) => ({
  sessionId: newGuid(),
  websocketUri: 'wss://devices.example.org/relay?role=responder',
  viewerConnectionId: 'forged',
  deviceId,
  notifyUserOnSessionStart: false,
  port: 5900,
  viewerName: 'forged',
});

/** A method of desktops in its current and its obsolete form. */
function desktopCase(
  name: string,
  permission: PermissionDefinition,
  fault: string,
  reaches: string,
  ...calls: readonly [Case['call'], Case['call']]
): Case[] {
  return calls.map((call, form) => ({
    name: form === 0 ? `${name}2` : name,
    permission,
    call,
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed(fault),
    reaches,
  }));
}

const NO_ADDRESS = 'The device has no known public IP address, so no device near it can be found.';
const NOBODY_NEAR = 'No other device of the customer is online behind the same public IP address.';

const CASES: Case[] = [
  {
    name: 'CreateTerminalSession2',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: TERMINAL_ID }),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('An error occurred.'),
    reaches: 'CreateTerminalSession',
  },
  {
    name: 'CreateTerminalSession',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.CreateTerminalSession, deviceId, TERMINAL_ID),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('An error occurred.'),
    reaches: 'CreateTerminalSession',
  },
  {
    name: 'SendTerminalInput2',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.SendTerminalInput2, { deviceId, input: INPUT }),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('Agent could not be reached.'),
    reaches: 'ReceiveTerminalInput',
  },
  {
    name: 'SendTerminalInput',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.SendTerminalInput, deviceId, INPUT),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('Agent could not be reached.'),
    reaches: 'ReceiveTerminalInput',
  },
  {
    name: 'CloseTerminalSession2',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.CloseTerminalSession2, { deviceId, terminalId: TERMINAL_ID }),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('An error occurred.'),
    reaches: 'CloseTerminalSession',
  },
  {
    name: 'CloseTerminalSession',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.CloseTerminalSession, deviceId, TERMINAL_ID),
    allowed: undefined,
    refused: undefined,
    offline: undefined,
    reaches: 'CloseTerminalSession',
  },
  {
    name: 'GetPwshCompletions',
    permission: Permission.DeviceTerminalUse,
    call: (viewer, deviceId) => viewer.call(viewerHub.GetPwshCompletions, completionsRequest(deviceId)),
    allowed: { ...succeeded, value: COMPLETIONS },
    refused: failedWithoutValue('Forbidden.'),
    offline: failedWithoutValue('An error occurred.'),
    reaches: 'GetPwshCompletions',
  },
  {
    name: 'GetActiveDesktopSessions2',
    permission: Permission.DeviceRemoteControlConnect,
    call: (viewer, deviceId) => viewer.call(viewerHub.GetActiveDesktopSessions2, { deviceId }),
    allowed: { ...succeeded, value: { sessions: [SESSION] } },
    refused: failedWithoutValue('Forbidden.'),
    offline: failedWithoutValue('An error occurred.'),
    reaches: 'GetActiveDesktopSessions',
  },
  {
    name: 'GetActiveDesktopSessions',
    permission: Permission.DeviceRemoteControlConnect,
    call: (viewer, deviceId) => viewer.call(viewerHub.GetActiveDesktopSessions, deviceId),
    allowed: [SESSION],
    refused: [],
    offline: [],
    reaches: 'GetActiveDesktopSessions',
  },
  ...desktopCase(
    'RequestRemoteControlPermission',
    Permission.DeviceRemoteControlConnect,
    'An error occurred while requesting remote control permission.',
    'RequestRemoteControlPermission',
    (viewer, deviceId) => viewer.call(viewerHub.RequestRemoteControlPermission2, { deviceId, targetProcessId: 17 }),
    (viewer, deviceId) => viewer.call(viewerHub.RequestRemoteControlPermission, deviceId, 17),
  ),
  ...desktopCase(
    'RequestRemoteControlSession',
    Permission.DeviceRemoteControlConnect,
    'An error occurred while requesting the remote control session.',
    'CreateRemoteControlSession',
    (viewer, deviceId) => viewer.call(viewerHub.RequestRemoteControlSession2, remoteControlRequest(deviceId)),
    (viewer, deviceId) => viewer.call(viewerHub.RequestRemoteControlSession, deviceId, remoteControlRequest(newGuid())),
  ),
  ...desktopCase(
    'RequestVncSession',
    Permission.DeviceVncRelayConnect,
    'An error occurred while requesting the VNC session.',
    'CreateVncSession',
    (viewer, deviceId) => viewer.call(viewerHub.RequestVncSession2, vncRequest(deviceId)),
    (viewer, deviceId) => viewer.call(viewerHub.RequestVncSession, deviceId, vncRequest(newGuid())),
  ),
  ...desktopCase(
    'TestVncConnection',
    Permission.DeviceVncRelayConnect,
    'An error occurred while testing the VNC connection.',
    'TestVncConnection',
    (viewer, deviceId) => viewer.call(viewerHub.TestVncConnection2, { deviceId, port: 5900 }),
    (viewer, deviceId) => viewer.call(viewerHub.TestVncConnection, deviceId, 5900),
  ),
  ...desktopCase(
    'InvokeCtrlAltDel',
    Permission.DeviceCtrlAltDelSend,
    'An error occurred while invoking CtrlAltDel.',
    'InvokeCtrlAltDel',
    (viewer, deviceId) => viewer.call(viewerHub.InvokeCtrlAltDel2, { deviceId, targetDesktopProcessId: 17, desktopSessionType: 1 }),
    (viewer, deviceId) => viewer.call(viewerHub.InvokeCtrlAltDel, deviceId, 17, 1),
  ),
  {
    name: 'GetDeviceAccessPermissions2',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId }),
    allowed: { ...succeeded, value: accessOf() },
    refused: failedWithoutValue('Forbidden.'),
    unknown: failedWithoutValue('Device not found.'),
    offline: { ...succeeded, value: accessOf() },
  },
  {
    name: 'GetDeviceAccessPermissions',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.GetDeviceAccessPermissions, deviceId),
    allowed: { ...succeeded, value: accessOf() },
    refused: failedWithoutValue('Forbidden.'),
    unknown: failedWithoutValue('Device not found.'),
    offline: { ...succeeded, value: accessOf() },
  },
  {
    name: 'RefreshDeviceInfo2',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId }),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: failed('An error occurred while refreshing device info.'),
    reaches: 'RefreshDeviceInfo',
  },
  {
    name: 'RefreshDeviceInfo',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.RefreshDeviceInfo, deviceId),
    allowed: undefined,
    refused: undefined,
    offline: undefined,
    reaches: 'RefreshDeviceInfo',
  },
];

const CHAT_ID = newGuid();
const CHAT_MESSAGE = {
  deviceId: newGuid(),
  sessionId: CHAT_ID,
  message: 'Hello?',
  senderName: 'forged',
  senderEmail: 'forged',
  targetSystemSession: 4,
  targetProcessId: 17,
  timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:05Z')),
  viewerConnectionId: 'forged',
};
const WRAPPER = { dtoType: DtoType.Ack, payload: new Uint8Array([1, 2, 3]), sendTimestamp: 5n };

/** A method that answers a HubResult without a value, in its current form, and what the obsolete form of the same name answers. */
function command(
  name: keyof typeof viewerHub,
  permission: PermissionDefinition,
  reaches: string,
  offline: string,
  call: Case['call'],
): Case {
  return { name, permission, call, allowed: succeeded, refused: failed('Forbidden.'), offline: failed(offline), reaches };
}

/** The same for an obsolete form that answers nothing, whatever happened. */
function silent(name: keyof typeof viewerHub, permission: PermissionDefinition, reaches: string, call: Case['call']): Case {
  return { name, permission, call, allowed: undefined, refused: undefined, offline: undefined, reaches };
}

CASES.push(
  command(
    'SendAgentUpdateTrigger2',
    Permission.DeviceAgentUpdate,
    'ReceiveAgentUpdateTrigger',
    'An error occurred while sending the agent update trigger.',
    (viewer, deviceId) => viewer.call(viewerHub.SendAgentUpdateTrigger2, { deviceId }),
  ),
  silent('SendAgentUpdateTrigger', Permission.DeviceAgentUpdate, 'ReceiveAgentUpdateTrigger', (viewer, deviceId) =>
    viewer.call(viewerHub.SendAgentUpdateTrigger, deviceId),
  ),
  command(
    'UninstallAgent2',
    Permission.DeviceDelete,
    'UninstallAgent',
    'An error occurred while uninstalling the agent.',
    (viewer, deviceId) => viewer.call(viewerHub.UninstallAgent2, { deviceId, reason: 'Retired.' }),
  ),
  silent('UninstallAgent', Permission.DeviceDelete, 'UninstallAgent', (viewer, deviceId) =>
    viewer.call(viewerHub.UninstallAgent, deviceId, 'Retired.'),
  ),
  command(
    'SendPowerStateChange2',
    Permission.DevicePowerManage,
    'ReceivePowerStateChange',
    'An error occurred while sending the power state change.',
    (viewer, deviceId) => viewer.call(viewerHub.SendPowerStateChange2, { deviceId, changeType: PowerStateChangeType.Restart }),
  ),
  silent('SendPowerStateChange', Permission.DevicePowerManage, 'ReceivePowerStateChange', (viewer, deviceId) =>
    viewer.call(viewerHub.SendPowerStateChange, deviceId, PowerStateChangeType.Shutdown),
  ),
  command('SendChatMessage2', Permission.DeviceChatSend, 'SendChatMessage', 'Agent could not be reached.', (viewer, deviceId) =>
    viewer.call(viewerHub.SendChatMessage2, { ...CHAT_MESSAGE, deviceId }),
  ),
  command('SendChatMessage', Permission.DeviceChatSend, 'SendChatMessage', 'Agent could not be reached.', (viewer, deviceId) =>
    viewer.call(viewerHub.SendChatMessage, deviceId, CHAT_MESSAGE),
  ),
  command('CloseChatSession2', Permission.DeviceChatSend, 'CloseChatSession', 'Agent could not be reached.', (viewer, deviceId) =>
    viewer.call(viewerHub.CloseChatSession2, { deviceId, sessionId: CHAT_ID, targetProcessId: 17 }),
  ),
  command('CloseChatSession', Permission.DeviceChatSend, 'CloseChatSession', 'Agent could not be reached.', (viewer, deviceId) =>
    viewer.call(viewerHub.CloseChatSession, deviceId, CHAT_ID, 17),
  ),
  command(
    'SendDtoToAgent',
    Permission.DeviceRead,
    'ReceiveDto',
    'An error occurred while sending the DTO to the agent.',
    (viewer, deviceId) => viewer.call(viewerHub.SendDtoToAgent, { deviceId, wrapper: WRAPPER }),
  ),
  {
    name: 'SendWakeDevice2',
    permission: Permission.DeviceWakeSend,
    call: (viewer, deviceId) => viewer.call(viewerHub.SendWakeDevice2, { deviceId, macAddresses: ['001122334455'] }),
    allowed: { ...succeeded, value: NOBODY_NEAR },
    refused: failedWithoutValue('Forbidden.'),
    offline: { ...succeeded, value: NO_ADDRESS },
    pending: { ...succeeded, value: 'Asked 1 device to wake it.' },
  },
  {
    name: 'SendWakeDevice',
    permission: Permission.DeviceWakeSend,
    call: (viewer, deviceId) => viewer.call(viewerHub.SendWakeDevice, deviceId, ['001122334455']),
    allowed: { ...succeeded, value: NOBODY_NEAR },
    refused: failedWithoutValue('Forbidden.'),
    offline: { ...succeeded, value: NO_ADDRESS },
    pending: { ...succeeded, value: 'Asked 1 device to wake it.' },
  },
  {
    name: 'StartDeviceAccessActivity2',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.StartDeviceAccessActivity2, { deviceId }),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: succeeded,
  },
  {
    name: 'StartDeviceAccessActivity',
    permission: Permission.DeviceRead,
    call: (viewer, deviceId) => viewer.call(viewerHub.StartDeviceAccessActivity, deviceId),
    allowed: succeeded,
    refused: failed('Forbidden.'),
    offline: succeeded,
  },
);

const DEVICE_PERMISSIONS = Object.values<PermissionDefinition>(Permission).filter(({ name }) => name.startsWith('device.'));

describe.each<Encoding>(['json', 'messagepack'])('viewer methods in %s', (encoding) => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);
  let device: KeyedDevice;
  let agent: FakeAgent;
  /** A device that reports with a key that waits for approval. */
  let unapproved: KeyedDevice;
  const called: { method: string; args: unknown[] }[] = [];
  const viewers = new Map<string, TestViewer>();

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    agent = server.alsoStop(await FakeAgent.online(server, device, encoding));
    const note =
      <T>(method: string, answer: T) =>
      (...args: unknown[]): T => {
        called.push({ method, args });
        return answer;
      };
    unapproved = await createKeyedDevice(server, tenant, { keyPendingSince: server.clock.now() });
    for (const each of [agent, server.alsoStop(await FakeAgent.online(server, unapproved, encoding))]) {
      each
        .on(agentClient.CreateTerminalSession, note('CreateTerminalSession', hubOk()))
        .on(agentClient.ReceiveTerminalInput, note('ReceiveTerminalInput', hubOk()))
        .on(agentClient.CloseTerminalSession, note('CloseTerminalSession', undefined))
        .on(agentClient.GetPwshCompletions, note('GetPwshCompletions', hubValue(COMPLETIONS)))
        .on(agentClient.GetActiveDesktopSessions, note('GetActiveDesktopSessions', [SESSION]))
        .on(agentClient.RefreshDeviceInfo, note('RefreshDeviceInfo', undefined))
        .on(agentClient.ReceiveAgentUpdateTrigger, note('ReceiveAgentUpdateTrigger', undefined))
        .on(agentClient.UninstallAgent, note('UninstallAgent', undefined))
        .on(agentClient.ReceivePowerStateChange, note('ReceivePowerStateChange', undefined))
        .on(agentClient.SendChatMessage, note('SendChatMessage', hubOk()))
        .on(agentClient.CloseChatSession, note('CloseChatSession', hubOk()))
        .on(agentClient.ReceiveDto, note('ReceiveDto', undefined))
        .on(agentClient.RequestRemoteControlPermission, note('RequestRemoteControlPermission', hubOk()))
        .on(agentClient.CreateRemoteControlSession, note('CreateRemoteControlSession', hubOk()))
        .on(agentClient.CreateVncSession, note('CreateVncSession', hubOk()))
        .on(agentClient.TestVncConnection, note('TestVncConnection', hubOk()))
        .on(agentClient.InvokeCtrlAltDel, note('InvokeCtrlAltDel', hubOk()));
    }
  });

  /** A connected viewer with these permissions in the tenant. It is created once. */
  async function viewerWith(permissions: readonly PermissionDefinition[]): Promise<TestViewer> {
    const key = permissions.map(({ name }) => name).join();
    const known = viewers.get(key);
    if (known !== undefined) return known;
    const { headers } = await callerWith(server, tenant, permissions, at.tenant(tenant));
    const viewer = server.alsoStop(await TestViewer.connect(server, headers, encoding));
    viewers.set(key, viewer);
    return viewer;
  }

  describe.each(CASES)('$name', ({ permission, call, allowed, refused, unknown, offline, pending, reaches }) => {
    it('answers a caller that holds exactly the permission', async () => {
      called.length = 0;
      const viewer = await viewerWith([permission]);
      expect(await call(viewer, device.id)).toEqual(allowed);
      if (reaches === undefined) return;
      await eventually('the agent is called', () => called.length === 1);
      expect(called[0].method).toBe(reaches);
    });

    it('refuses a caller that holds every other permission', async () => {
      called.length = 0;
      const viewer = await viewerWith(DEVICE_PERMISSIONS.filter((other) => other !== permission));
      expect(await call(viewer, device.id)).toEqual(refused);
      expect(called).toEqual([]);
    });

    it('answers a device of another tenant like one that does not exist', async () => {
      const viewer = await viewerWith([permission]);
      const { id } = await createDevice(server, { tenantId: foreign.id });
      for (const deviceId of [newGuid(), id]) expect(await call(viewer, deviceId)).toEqual(unknown ?? refused);
    });

    it('answers at once when the device is offline', async () => {
      const viewer = await viewerWith([permission]);
      const { id } = await createDevice(server, { tenantId: tenant.id });
      expect(await call(viewer, id)).toEqual(offline);
    });

    it('does not reach a device whose key waits for approval, and says so', async () => {
      called.length = 0;
      const viewer = await viewerWith([permission]);
      expect(await call(viewer, unapproved.id)).toEqual(
        pending ?? (isFailure(offline) ? { ...offline, reason: KEY_PENDING_REASON } : offline),
      );
      expect(called).toEqual([]);
    });
  });

  it('pass the real connection of the viewer to the agent, not the one in the request', async () => {
    called.length = 0;
    const viewer = await viewerWith([Permission.DeviceTerminalUse]);
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: TERMINAL_ID });
    await viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input: INPUT });
    await viewer.call(viewerHub.GetPwshCompletions, completionsRequest(device.id));
    expect(called.map(({ args }) => args)).toEqual([
      [TERMINAL_ID, viewer.connectionId],
      [{ ...INPUT, viewerConnectionId: viewer.connectionId }],
      [{ ...completionsRequest(device.id), viewerConnectionId: viewer.connectionId }],
    ]);
  });

  it('answer each of the twelve permissions correctly', async () => {
    const some = [
      Permission.DeviceRead,
      Permission.DeviceOverviewRead,
      Permission.DeviceTerminalUse,
      Permission.DeviceClipboardRead,
      Permission.DeviceCtrlAltDelSend,
    ];
    const viewer = await viewerWith(some);
    const { value } = await viewer.call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
    expect(value).toEqual(accessOf('canViewOverview', 'canUseTerminal', 'canReadClipboard', 'canSendCtrlAltDel'));
    const all = await (await viewerWith(DEVICE_PERMISSIONS)).call(viewerHub.GetDeviceAccessPermissions2, { deviceId: device.id });
    expect(Object.values(all.value ?? {})).toEqual(Array.from({ length: 12 }, () => true));
  });

  it('pass on the answer of the agent, or a reason of their own when it is unusable', async () => {
    const moody = await createKeyedDevice(server, tenant);
    const moodyAgent = await FakeAgent.online(server, moody, encoding);
    const viewer = await viewerWith([Permission.DeviceTerminalUse]);
    const create = (): Promise<unknown> => viewer.call(viewerHub.CreateTerminalSession2, { deviceId: moody.id, terminalId: TERMINAL_ID });
    moodyAgent.on(agentClient.CreateTerminalSession, () => hubFailure('Too many terminals.'));
    expect(await create()).toEqual(failed('Too many terminals.'));
    for (const answer of [() => null, () => 'yes', () => ({ isSuccess: 'perhaps', IsSuccess: 'perhaps' })]) {
      moodyAgent.answerRaw(agentClient.CreateTerminalSession, answer);
      expect(await create()).toEqual(failed('An error occurred.'));
    }
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => ({}));
    expect(await create()).toEqual(failed('The operation failed.'));
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => {
      throw new Error('secret of the agent');
    });
    expect(await create()).toEqual(failed('An error occurred.'));
    moodyAgent.answerRaw(agentClient.CreateTerminalSession, () => {
      moodyAgent.vanish();
      return hubOk();
    });
    expect(await create()).toEqual(failed('An error occurred.'));
    await waitOffline(server, moody.id);
  });

  it('respect a grant and a revocation with the next call', async () => {
    const caller = await callerWith(server, tenant, [], at.tenant(tenant));
    const viewer = await TestViewer.connect(server, caller.headers, encoding);
    const refresh = (): Promise<unknown> => viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id });
    expect(await refresh()).toEqual(failed('Forbidden.'));
    const path = '/api/v1/permission-assignments';
    const created = await server.client().post(path, {
      query: { tenantId: tenant.id },
      body: {
        principalKind: 'ServiceAccount',
        principalId: caller.account.id,
        permissionName: 'device.read',
        effect: 'Allow',
        scopeKind: 'Device',
        scopeId: device.id,
        isEnabled: true,
      },
    });
    expect(created.status).toBe(201);
    expect(await refresh()).toEqual(succeeded);
    const { id } = created.as<{ id: string }>();
    expect((await server.client().delete(`${path}/${id}`, { query: { tenantId: tenant.id } })).status).toBe(204);
    expect(await refresh()).toEqual(failed('Forbidden.'));
    await viewer.stop();
  });

  it('disconnect a viewer whose credential was revoked with its next call', async () => {
    const { account, credential, key } = await createServiceAccountWithKey(server);
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.server });
    const viewer = await TestViewer.connect(server, { 'x-api-key': key }, encoding);
    expect(await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toEqual(succeeded);
    const path = `/api/v1/server-service-accounts/${account.id}/credentials/${credential.id}`;
    expect((await server.client().delete(path)).status).toBe(204);
    // The answer and the end of the connection may arrive in either order.
    await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id }).catch(() => undefined);
    await eventually('the viewer is disconnected', () => viewer.isClosed);
  });

  it('refuse invalid arguments, and stay connected', async () => {
    const viewer = await viewerWith([Permission.DeviceRead]);
    const { connection } = viewer;
    await expect(connection.invoke('RefreshDeviceInfo2', {})).resolves.toMatchObject(
      encoding === 'json' ? { reason: 'Forbidden.' } : { Reason: 'Forbidden.' },
    );
    await expect(connection.invoke('RefreshDeviceInfo2', null)).rejects.toThrow('must be an object');
    await expect(connection.invoke('RefreshDeviceInfo', 'no guid')).rejects.toThrow('must be a GUID');
    await expect(connection.invoke('GetActiveDesktopSessions2')).rejects.toThrow('takes 1 argument(s), not 0');
    expect(await viewer.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toEqual(succeeded);
  });
});
