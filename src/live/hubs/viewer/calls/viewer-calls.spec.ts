import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import {
  DesktopSession,
  DevicePermission,
  EVERY_VIEWER,
  hub,
  hubFailure,
  hubOk,
  HubResult,
  onDevice,
  positional,
  record,
  text,
  viewerHub,
  viewerMethod,
  withoutAnswer,
  type ViewerMethod,
} from '#libs/contracts';
import type { HubConnection, Invocation } from '#libs/signalr';

import type { Principal, UserCredential } from '../../../../access/authentication/principals/principal.js';
import type { AuthorizationService } from '../../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../../../access/authorization/permissions/permission.js';
import { CALL_TOO_LATE } from '../../../../devices/device-link/call-age.js';
import type { AgentChannel } from '../../../../devices/device-link/agent-place.js';
import { DesktopReach } from '../../../../devices/device-link/desktop-reach.js';
import type { Standstill } from '../../../../devices/device-link/standstill.js';
import type { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { DeviceTimes } from '../../../../devices/device-link/device-times.js';
import { ReachedDevice } from '../../../../devices/device-link/reached-device.js';
import { Clock } from '../../../../platform/common/runtime/clock.js';
import { RefusalLog } from '../../../../platform/http/problems/refusal-log.js';
import type { ViewerAccess } from '../connections/viewer-access.js';
import type { Handler } from './viewer-call.js';
import { ViewerCalls } from './viewer-calls.js';

/* The rules of methods, one by one. Whole calls through the hub are tested in test/hubs. */

Logger.overrideLogger(false);

const DEVICE: DeviceResource = { kind: 'Device', id: 'device', tenantId: 'tenant', customerId: null, deviceGroupIds: [] };
const FOREIGN_DEVICE: DeviceResource = { ...DEVICE, id: 'foreign', tenantId: 'other tenant' };

function user(credential: UserCredential): Principal {
  return { type: 'User', id: 'user', tenantId: 'tenant', name: 'user', credential, mustChangePassword: false };
}

const SIGNED_IN = user({ type: 'Session', id: 's', provenAt: 0 });
const LOGON_TOKEN = user({
  type: 'LogonToken',
  id: 'l',
  sessionId: 's',
  deviceId: DEVICE.id,
  allowedDesktopSessionIds: [2],
  userCorrelationId: null,
  sessionCorrelationId: null,
  maker: null,
});

describe('ViewerCalls', () => {
  let calls: ViewerCalls;
  /** The look-ups, checks and messages of the calls, in order. */
  let events: string[];
  let agentAnswer: unknown;
  let isAllowed: (permission: PermissionDefinition) => Promise<boolean>;
  /** Milliseconds for which a call may have waited before it was read, by the standstill of the process. */
  let waited: number;
  /** Milliseconds for which a call has waited for its turn in the hub. */
  let inTurn: number;
  /** Milliseconds for which the last call had waited that was passed on, as its agent's channel was told. */
  let passedOn: number;

  beforeEach(() => {
    events = [];
    agentAnswer = hubOk();
    isAllowed = async () => true;
    waited = 0;
    inTurn = 0;
    const standstill = { arrivedSince: (readAt: number) => readAt - waited };
    const authorization = {
      device: async (id: string) => {
        events.push(`look up ${id}`);
        return [DEVICE, FOREIGN_DEVICE].find((device) => device.id === id) ?? null;
      },
    };
    const access = {
      mayUse: (_viewer: unknown, permission: PermissionDefinition) => {
        events.push(`check ${permission.name}`);
        return isAllowed(permission);
      },
    };
    const link = {
      reach: async (deviceId: string, madeAt = performance.now()) => {
        const channel: AgentChannel = {
          send: ({ name }, args) => void events.push(`send ${name} to ${deviceId}: ${args.join()}`),
          invoke: async ({ name }, args, { since }) => {
            passedOn = performance.now() - since;
            events.push(`invoke ${name} on ${deviceId}: ${args.join()}`);
            if (agentAnswer instanceof Error) throw agentAnswer;
            return agentAnswer;
          },
        };
        return new ReachedDevice(channel, new DeviceTimes(), { nodeId: null, connectionId: 'agent' }, madeAt);
      },
    };
    calls = new ViewerCalls(
      access as unknown as ViewerAccess,
      authorization as unknown as AuthorizationService,
      link as unknown as DeviceLink,
      new DesktopReach(link as unknown as DeviceLink),
      new RefusalLog(new Clock()),
      standstill as unknown as Standstill,
    );
  });

  function connectionOf(principal: Principal): HubConnection {
    return { connectionId: 'viewer', user: principal, state: undefined } as unknown as HubConnection;
  }

  function call<M extends ViewerMethod>(method: M, request: unknown, handle: Handler<M>, principal = SIGNED_IN): Promise<HubResult> {
    const signal = new AbortController().signal;
    const connection = connectionOf(principal);
    const invocation: Invocation = {
      connection,
      method: method.name,
      args: [request],
      invocationId: '1',
      arrivedAt: performance.now() - inTurn,
      signal,
      yieldTurn: () => undefined,
    };
    return calls.answer(method, invocation, invocation.args, handle);
  }

  const pass = async (): Promise<HubResult> => {
    events.push('handle');
    return hubOk();
  };

  describe('before it calls the handler', () => {
    it('refuses an invalid request without looking anything up', async () => {
      const result = await call(viewerHub.SendPowerStateChange2, { deviceId: DEVICE.id, changeType: 0 }, pass);
      expect(result).toEqual(hubFailure('Invalid power state change type.'));
      expect(events).toEqual([]);
    });

    it('checks the permission of the method on the device that the request names', async () => {
      expect(await call(viewerHub.SendPowerStateChange2, { deviceId: DEVICE.id, changeType: 1 }, pass)).toEqual(hubOk());
      expect(events).toEqual(['look up device', 'check device.power.manage', 'handle']);
    });

    it('refuses a call without the permission', async () => {
      isAllowed = async () => false;
      expect(await call(viewerHub.UninstallAgent2, { deviceId: DEVICE.id }, pass)).toEqual(hubFailure('Forbidden.'));
      expect(events).not.toContain('handle');
    });

    it.each(['foreign', 'unknown'])(
      'refuses a device that is %s with the reason of the method, without checking a permission',
      async (deviceId) => {
        expect(await call(viewerHub.UninstallAgent2, { deviceId }, pass)).toEqual(hubFailure('Forbidden.'));
        const unresolved = async (): Promise<never> => Promise.reject(new Error('called'));
        expect(await call(viewerHub.GetDeviceAccessPermissions2, { deviceId }, unresolved)).toEqual(hubFailure('Device not found.'));
        expect(events).toEqual([`look up ${deviceId}`, `look up ${deviceId}`]);
      },
    );

    it.each([
      ['a session that a logon token lists', LOGON_TOKEN, 2, hubOk()],
      ['a session that it does not list', LOGON_TOKEN, 3, hubFailure('The requested desktop session is not authorized.')],
      ['any session without a logon token', SIGNED_IN, 3, hubOk()],
    ])('answers a request for %s', async (_, principal, targetSystemSession, expected) => {
      agentAnswer = [{ systemSessionId: 2, processId: 17 }];
      const request = { deviceId: DEVICE.id, targetSystemSession, targetProcessId: 17 };
      expect(await call(viewerHub.RequestRemoteControlSession2, request, pass, principal)).toEqual(expected);
    });
  });

  describe('relaying to the agent', () => {
    it('succeeds once a command without an answer was sent to the agent', async () => {
      const result = await call(viewerHub.UninstallAgent2, { deviceId: DEVICE.id }, ({ relay }) => relay('moved'));
      expect(result).toEqual(hubOk());
      expect(events.at(-1)).toBe('send UninstallAgent to device: moved');
    });

    it('gives back the answer of the agent, with a reason for each failure', async () => {
      const test = (): Promise<HubResult> => call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      expect(await test()).toEqual(hubOk());
      expect(events.at(-1)).toBe('invoke TestVncConnection on device: 5900');
      agentAnswer = { isSuccess: false, reason: ' ', errorCode: 'code' };
      expect(await test()).toEqual({ ...hubFailure('The operation failed.'), errorCode: 'code' });
    });

    it('leaves out the desktop sessions that a logon token does not list', async () => {
      agentAnswer = [1, 2, 3].map((systemSessionId) => DesktopSession.decode({ systemSessionId }, 'json'));
      const list = async (principal: Principal): Promise<number[]> => {
        let seen: number[] = [];
        const handle: Handler<typeof viewerHub.GetActiveDesktopSessions2> = async ({ relay }) => {
          seen = (await relay()).map(({ systemSessionId }) => systemSessionId);
          return { ...hubOk(), value: null };
        };
        await call(viewerHub.GetActiveDesktopSessions2, { deviceId: DEVICE.id }, handle, principal);
        return seen;
      };
      expect(await list(LOGON_TOKEN)).toEqual([2]);
      expect(await list(SIGNED_IN)).toEqual([1, 2, 3]);
    });

    it('answers the reason of the method when the agent cannot be reached', async () => {
      agentAnswer = new Error('secret of the agent');
      const result = await call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      expect(result).toEqual(hubFailure('An error occurred while testing the VNC connection.'));
    });
  });

  describe('that comes too late', () => {
    afterEach(() => void vi.useRealTimers());

    it('does not reach the agent: the process stood still before it was read', async () => {
      waited = 5_100;
      const test = (): Promise<HubResult> => call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      expect(await test()).toEqual(hubFailure(CALL_TOO_LATE));
      expect(events).toEqual([]);
      waited = 0;
      expect(await test()).toEqual(hubOk());
    });

    it('does not reach the agent: it has waited for its turn behind other calls of its viewer', async () => {
      inTurn = 5_100;
      const test = (): Promise<HubResult> => call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      expect(await test()).toEqual(hubFailure(CALL_TOO_LATE));
      expect(events).toEqual([]);
    });

    it('tells the way to the agent for how long it has waited', async () => {
      vi.useFakeTimers();
      waited = 2_000;
      isAllowed = () => new Promise((resolve) => setTimeout(() => resolve(true), 1_500));
      const test = call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      await vi.advanceTimersByTimeAsync(1_500);
      expect(await test).toEqual(hubOk());
      expect(passedOn).toBe(3_500);
    });

    it('does not reach the agent: its checks took longer than 5 s', async () => {
      vi.useFakeTimers();
      isAllowed = () => new Promise((resolve) => setTimeout(() => resolve(true), 5_100));
      const late = call(viewerHub.TestVncConnection2, { deviceId: DEVICE.id }, ({ relay }) => relay(5900));
      await vi.advanceTimersByTimeAsync(5_100);
      expect(await late).toEqual(hubFailure(CALL_TOO_LATE));
      expect(events).not.toContain('invoke TestVncConnection on device: 5900');
    });
  });

  it('lets a call fail as one of the hub if its method defines no reason', async () => {
    const failing = call(viewerHub.AddViewerActivity2, { activityName: 'a' }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
  });

  it('keeps the order of calls about one thing however long their checks take, without waiting for answers', async () => {
    const checked: (() => void)[] = [];
    isAllowed = () => new Promise((resolve) => checked.push(() => resolve(true)));
    agentAnswer = new Promise<never>(() => undefined);
    const handled: string[] = [];
    const typed = (input: string, terminalId = 'terminal'): void => {
      const request = { deviceId: DEVICE.id, input: { terminalId, input, viewerConnectionId: null } };
      void call(viewerHub.SendTerminalInput2, request, async ({ request: { input: dto }, relay }) => {
        handled.push(input);
        return relay(dto);
      });
    };
    const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    typed('first');
    typed('second');
    typed('elsewhere', 'other terminal');
    await settle();
    expect(checked).toHaveLength(2);
    checked[1]();
    await settle();
    expect(handled).toEqual(['elsewhere']);
    checked[0]();
    await settle();
    checked[2]();
    await settle();
    expect(handled).toEqual(['elsewhere', 'first', 'second']);
  });
});

describe('the types of rules', () => {
  const Named = record('Named', 'A record without a device.', { name: text(10) });

  it('do not let a method name a member that its request does not have', () => {
    const rules = { description: '', returns: HubResult, parameters: [Named] } as const;
    // @ts-expect-error the request has no deviceId
    viewerMethod({ ...rules, access: onDevice(DevicePermission.Read) });
    // @ts-expect-error the request has no member of that name
    viewerMethod({ ...rules, access: EVERY_VIEWER, ordered: { by: 'terminal', id: ({ terminalId }) => terminalId } });
    // @ts-expect-error there is no such permission
    viewerMethod({ ...rules, access: onDevice('device.reed') });
    // @ts-expect-error agents have no such method
    viewerMethod({ ...rules, access: EVERY_VIEWER, relaysTo: 'Sing' });
    const { Rename } = hub({ Rename: viewerMethod({ ...rules, access: EVERY_VIEWER }) });
    expect(withoutAnswer(positional(Rename, ['name'])).toRequest(['new'])).toEqual({ name: 'new' });
    // @ts-expect-error the request has no such member
    positional(Rename, ['title']);
  });
});
