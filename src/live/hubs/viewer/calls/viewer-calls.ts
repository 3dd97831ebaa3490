import { Injectable, Logger } from '@nestjs/common';

import {
  agentClient,
  DESKTOP_SESSION_REASON,
  hubFailure,
  hubOk,
  REFUSED_REASON,
  type Arguments,
  type DesktopSession,
  type HubResult,
  type ViewerMethod,
} from '#libs/contracts';
import type { Invocation } from '#libs/signalr';

import { correlationFactsOf, idOf, mayNameTenant, type Principal } from '../../../../access/authentication/principals/principal.js';
import { AuthorizationService } from '../../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { devicePermission } from '../../../../access/authorization/permissions/permission.js';
import { CALL_TOO_LATE, CallTooLate, isTooOld } from '../../../../devices/device-link/call-age.js';
import { DesktopReach } from '../../../../devices/device-link/desktop-reach.js';
import { mayReachAllDesktops, mayReachDesktopSession, visibleDesktopSessions } from '../../../../devices/device-link/desktop-sessions.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { Standstill } from '../../../../devices/device-link/standstill.js';
import { Turns } from '../../../../platform/common/concurrency/turns.js';
import { KeyPendingError, messageOf } from '../../../../platform/common/errors/errors.js';
import { RefusalLog } from '../../../../platform/http/problems/refusal-log.js';
import { ConnectedViewer } from '../connections/connected-viewer.js';
import { ViewerAccess } from '../connections/viewer-access.js';

/** A call before its rules are applied. */
interface IncomingCall {
  readonly method: ViewerMethod;
  readonly viewer: ConnectedViewer;
  readonly request: unknown;
  readonly items: unknown;
  readonly invocation: Invocation;
  /** Earliest time at which it can have arrived, by the monotonic clock in milliseconds. */
  readonly arrivedAt: number;
  /** Lets the next call about the same thing begin. */
  readonly sent: () => void;
}

/** A call as its handler sees it. A class, because an object with a getter takes long to make. */
class AdmittedCall {
  readonly viewer: ConnectedViewer;
  readonly request: unknown;
  readonly items: unknown;
  readonly arrivedAt: number;
  readonly #invocation: Invocation;

  constructor(
    { viewer, request, items, arrivedAt, invocation }: IncomingCall,
    readonly device: DeviceResource | undefined,
    readonly relay: (...args: unknown[]) => Promise<unknown>,
  ) {
    this.viewer = viewer;
    this.request = request;
    this.items = items;
    this.arrivedAt = arrivedAt;
    this.#invocation = invocation;
  }

  get canceled(): AbortSignal {
    return this.#invocation.signal;
  }
}

/** A handler of any method. The rules of the method determine the content of its call. */
type AnyHandler = (call: never) => Promise<HubResult>;

/** The result of the check before a call: the reason of a refusal, or the device that the request names. */
type Admission = { readonly refusal: string } | { readonly refusal: null; readonly device: DeviceResource | undefined };

/**
 * The single entry point of every call of viewers. It answers each call by the rules of its method in
 * `libs/contracts/src/viewer-hub`. Every call is checked separately; an open connection grants nothing.
 */
@Injectable()
export class ViewerCalls {
  private readonly logger = new Logger('ViewerHub');
  private readonly turns = new Turns();

  constructor(
    private readonly access: ViewerAccess,
    private readonly authorization: AuthorizationService,
    private readonly link: DeviceLink,
    private readonly desktops: DesktopReach,
    private readonly refusals: RefusalLog,
    private readonly standstill: Standstill,
  ) {}

  /**
   * Answers a call: validates the request, checks the permission, and leaves the rest to `handle`. `args` are the
   * arguments of the method's current form. A failure is answered with the reason that the method defines; without such
   * a reason, the call rejects. A call that is too old does not reach its agent.
   */
  answer(method: ViewerMethod, invocation: Invocation, [request, items]: readonly unknown[], handle: AnyHandler): Promise<HubResult> {
    const viewer = ConnectedViewer.of(invocation.connection);
    const { invalid, ordered } = method;
    if (invalid?.when(request) === true) return Promise.resolve(hubFailure(invalid.reason));
    const arrivedAt = this.standstill.arrivedSince(invocation.arrivedAt);
    if (method.relaysTo !== undefined && isTooOld(arrivedAt)) return Promise.resolve(hubFailure(CALL_TOO_LATE));
    const begin = (sent: () => void): Promise<HubResult> =>
      this.answerByRules({ method, viewer, request, items, invocation, arrivedAt, sent }, handle);
    if (ordered === undefined) return begin(() => undefined);
    return this.inTurn(`${viewer.connectionId} ${ordered.by} ${ordered.id(request)}`, begin);
  }

  /**
   * Runs calls about one thing in the order of arrival, however long their permission checks take. `begin` calls `sent` after it has sent
   * to the agent, so that the next call need not wait for the agent's answer.
   */
  private inTurn(thing: string, begin: (sent: () => void) => Promise<HubResult>): Promise<HubResult> {
    return new Promise((resolve, reject) => {
      void this.turns.take(thing, () => new Promise<void>((sent) => void begin(sent).then(resolve, reject).then(sent)));
    });
  }

  private async answerByRules(call: IncomingCall, handle: AnyHandler): Promise<HubResult> {
    const { method, viewer, request } = call;
    try {
      const admission = await this.admit(call);
      if (admission.refusal !== null) return this.refuse(call, admission.refusal);
      return withReason(await handle(this.admitted(call, admission.device) as never));
    } catch (error) {
      if (error instanceof KeyPendingError) return this.refuse(call, error.message);
      if (error instanceof CallTooLate) return hubFailure(error.message);
      if (method.exceptionReason === undefined) throw error;
      this.logger.warn({
        message: 'A call of a viewer failed.',
        method: method.name,
        deviceId: method.access.to === 'a device' ? memberOf<string>(request, method.access.member) : undefined,
        connectionId: viewer.connectionId,
        error: messageOf(error),
      });
      return hubFailure(method.exceptionReason);
    }
  }

  private refuse({ method, viewer, request }: IncomingCall, reason: string): HubResult {
    const { principal, connectionId } = viewer;
    const deviceId = method.access.to === 'a device' ? memberOf<string>(request, method.access.member) : undefined;
    const source = idOf(principal) ?? connectionId;
    const facts = { principal: source, ...correlationFactsOf(principal), deviceId, method: method.name, connectionId };
    this.refusals.log('A call was refused.', reason, { source, ...facts });
    return hubFailure(reason);
  }

  /** Checks a call. A device of a tenant that the viewer cannot name is answered like an unknown one. */
  private async admit({ method, viewer, request }: IncomingCall): Promise<Admission> {
    const { access, unknownDeviceReason } = method;
    if (access.to !== 'a device') return { refusal: null, device: undefined };
    const device = await this.authorization.device(memberOf<string>(request, access.member));
    if (device === null || !mayNameTenant(viewer.principal, device.tenantId)) return { refusal: unknownDeviceReason ?? REFUSED_REASON };
    if (!(await this.access.mayUse(viewer, devicePermission(access.permission), device))) return { refusal: REFUSED_REASON };
    const reachesAll = mayReachAllDesktops(viewer.principal, device.id);
    if (!reachesAll && !(await this.mayReachDesktops(method, viewer.principal, device.id, request)))
      return { refusal: DESKTOP_SESSION_REASON };
    return { refusal: null, device };
  }

  /** True if a viewer that is limited to some desktops, as only logon tokens are, may reach those that a request names. */
  private async mayReachDesktops(
    { desktopSessions, desktopProcess, reachesAllDesktops }: ViewerMethod,
    principal: Principal,
    deviceId: string,
    request: unknown,
  ): Promise<boolean> {
    if (reachesAllDesktops === true) return false;
    if (desktopSessions?.in === 'request') {
      if (!mayReachDesktopSession(principal, deviceId, memberOf<number>(request, desktopSessions.member))) return false;
    }
    return desktopProcess === undefined || this.desktops.mayReachProcess(principal, deviceId, memberOf<number>(request, desktopProcess));
  }

  /** The call as its handler sees it: a ViewerCall of its method. */
  private admitted(call: IncomingCall, device: DeviceResource | undefined): AdmittedCall {
    return new AdmittedCall(call, device, (...args) => this.relay(call, device, args));
  }

  private async relay(
    { method, viewer, arrivedAt, sent }: IncomingCall,
    device: DeviceResource | undefined,
    args: unknown[],
  ): Promise<unknown> {
    const { relaysTo, desktopSessions } = method;
    if (relaysTo === undefined || device === undefined) throw new Error(`${method.name} has no agent to pass a call on to.`);
    const { [relaysTo]: agentMethod } = agentClient;
    const agent = await this.link.reach(device.id, arrivedAt);
    if (!('returns' in agentMethod)) {
      await agent.send(agentMethod, ...(args as Arguments<typeof agentMethod>));
      return hubOk();
    }
    const answering = agent.invoke(agentMethod, args as Arguments<typeof agentMethod>);
    sent();
    const answer: unknown = await answering;
    return desktopSessions?.in === 'answer' ? visibleDesktopSessions(viewer.principal, device.id, answer as DesktopSession[]) : answer;
  }
}

function memberOf<T>(request: unknown, member: string): T {
  return (request as Readonly<Record<string, T>>)[member];
}

/** Adds a reason to a failure that has none, because .NET clients throw otherwise. */
function withReason(result: HubResult): HubResult {
  return result.isSuccess ? result : { ...hubFailure(result.reason ?? ''), errorCode: result.errorCode };
}
