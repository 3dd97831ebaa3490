import type { agentClient } from './agent-client.js';
import type { DevicePermission } from './device-permissions.js';
import type { Arguments, HubMethod, Parameter, StreamType } from './hub-method.js';
import type { HubResult } from './hub-result.js';
import type { Members, RecordType } from './wire/composites.js';
import { guid } from './wire/primitives.js';
import type { WireType } from './wire/wire-type.js';

/*
 * Common parts of the methods of the viewer hub: the rules by which the server answers each of them, and the obsolete forms with positional
 * arguments, which are made from the current ones.
 */

/** The reason of every refused check. */
export const REFUSED_REASON = 'Forbidden.';

/** The reason when a logon token does not list the desktop session that a request names. */
export const DESKTOP_SESSION_REASON = 'The requested desktop session is not authorized.';

/** The names of an agent's methods. */
export type AgentMethodName = keyof typeof agentClient;

/** The names of a request's members that are of the type `T`. */
type MemberOf<Request, T> = unknown extends Request
  ? string
  : { [K in keyof Request & string]: Request[K] extends T ? K : never }[keyof Request & string];

/** The viewers that may call a method. */
export type ViewerAccess<Request> =
  /** Every connected viewer. */
  | { readonly to: 'every viewer' }
  /** Those with the permission on the device that the member names. Others are answered a failure. */
  | { readonly to: 'a device'; readonly permission: DevicePermission; readonly member: MemberOf<Request, string> }
  /** Checks each device that the member names separately, and skips those without the permission. */
  | { readonly to: 'each device'; readonly permission: DevicePermission; readonly member: MemberOf<Request, readonly string[]> };

/** Every connected viewer may call the method. */
export const EVERY_VIEWER = { to: 'every viewer' } as const;

/** The method is for viewers with the permission on the device of the request's `deviceId`. */
export function onDevice<const P extends DevicePermission>(
  permission: P,
): { readonly to: 'a device'; readonly permission: P; readonly member: 'deviceId' } {
  return { to: 'a device', permission, member: 'deviceId' };
}

/** The method skips the devices of the request's `deviceIds` that the viewer lacks the permission on. */
export function onEachDevice<const P extends DevicePermission>(
  permission: P,
): { readonly to: 'each device'; readonly permission: P; readonly member: 'deviceIds' } {
  return { to: 'each device', permission, member: 'deviceIds' };
}

/** The rules by which the server answers a method, in the order in which it applies them. */
export interface ViewerRules<Request = unknown> {
  /** The requests that are refused to every viewer, and the reason that answers them. */
  readonly invalid?: { readonly reason: string; when(this: void, request: Request): boolean };
  /** A thing that the request names: one viewer's calls about the same thing reach the agent in the order in which they were made. */
  readonly ordered?: { readonly by: string; id(this: void, request: Request): string };
  readonly access: ViewerAccess<Request>;
  /** The reason when the device does not exist, where it differs from that of a refusal. */
  readonly unknownDeviceReason?: string;
  /**
   * The place that names desktop sessions. A logon token may list the only ones that its viewer sees and reaches: a request that names
   * another one is refused, and others are left out of the agent's answer.
   */
  readonly desktopSessions?: { readonly in: 'request'; readonly member: MemberOf<Request, number> } | { readonly in: 'answer' };
  /**
   * The member that names the process of a desktop. A request of a viewer whose logon token lists desktop sessions is refused unless the
   * process belongs to one of them.
   */
  readonly desktopProcess?: MemberOf<Request, number>;
  /** Set if the method reaches all desktops of a device, and so is refused to viewers whose logon token lists some. */
  readonly reachesAllDesktops?: true;
  /** The method of the agent that the call is passed on to. */
  readonly relaysTo?: AgentMethodName;
  /** The reason when the agent cannot be reached, or anything else goes wrong. Without it, the call ends as an error of the hub. */
  readonly exceptionReason?: string;
}

/** A method of the viewer hub in its current form: at most one record, and for an upload also a stream. */
export interface ViewerMethod extends HubMethod, ViewerRules {
  readonly parameters: readonly [] | readonly [RecordType<Members>] | readonly [RecordType<Members>, StreamType<unknown>];
  readonly returns: WireType<HubResult>;
}

/** The first argument of a method: its request, or undefined when it has none. */
export type RequestOf<M extends Pick<HubMethod, 'parameters'>> = Arguments<M>[0];

type RequestIn<P extends readonly Parameter[]> = P extends readonly [WireType<infer T>, ...(readonly unknown[])] ? T : undefined;

type UnnamedMethod<P extends ViewerMethod['parameters']> = Omit<
  ViewerMethod,
  'name' | 'parameterNames' | 'parameters' | keyof ViewerRules
> &
  ViewerRules<RequestIn<P>> & { readonly parameters: P };

/** Checks the rules of a method against its request, and returns the method with its exact types. */
export function viewerMethod<const P extends ViewerMethod['parameters'], const M extends UnnamedMethod<P>>(
  method: M & { readonly parameters: P },
): M & { readonly parameters: P; readonly parameterNames: readonly string[] } {
  return { ...method, parameterNames: ['request', 'items'].slice(0, method.parameters.length) };
}

/** A form with positional arguments that a method with one record has replaced. Clients in the field still call it. */
export interface ObsoleteForm extends HubMethod {
  readonly replacedBy: string;
  /** The request of the current form, made from the arguments of this one. */
  toRequest(args: readonly unknown[]): unknown;
  /** The answer of this form, made from that of the current one. */
  toAnswer(result: HubResult): unknown;
}

/** A current form whose only parameter is a record. */
type WithRecord = ViewerMethod & { readonly name: string; readonly parameters: readonly [RecordType<Members>] };
type MembersOf<M extends WithRecord> = M['parameters'][0]['members'];
type UnnamedForm = Omit<ObsoleteForm, 'name'>;
type Form<P, R> = Omit<UnnamedForm, 'parameters' | 'returns'> & { readonly parameters: P; readonly returns: R };

/** The obsolete form that takes members of the record as its arguments, in this order. */
export function positional<M extends WithRecord, const K extends readonly (keyof MembersOf<M> & string)[]>(
  current: M,
  members: K,
): Form<{ readonly [I in keyof K]: MembersOf<M>[K[I]] }, M['returns']>;
export function positional(current: WithRecord, members: readonly string[]): UnnamedForm {
  const [request] = current.parameters;
  return {
    ...obsolete(current),
    parameters: members.map((member) => request.members[member]),
    parameterNames: members,
    toRequest: (args) => Object.fromEntries(members.map((member, index) => [member, args[index]])),
  };
}

/** The obsolete form with the device id as a separate argument. The device id inside the record is ignored. */
export function besideDeviceId<M extends WithRecord>(current: M): Form<readonly [typeof guid, M['parameters'][0]], M['returns']>;
export function besideDeviceId(current: WithRecord): UnnamedForm {
  return {
    ...obsolete(current),
    parameters: [guid, ...current.parameters],
    parameterNames: ['deviceId', ...current.parameterNames],
    toRequest: ([deviceId, request]) => ({ ...Object(request), deviceId }),
  };
}

/** The same form, but it answers nothing, neither success nor failure. */
export function withoutAnswer<P, R>(form: Form<P, R>): Omit<Form<P, R>, 'returns'> {
  const { returns: _, ...rest } = form;
  return { ...rest, toAnswer: () => undefined };
}

/** The same form, but it answers a bare value, made from the result of the current form. */
export function withBareAnswer<P, R extends HubResult, T>(
  form: Form<P, WireType<R>>,
  returns: WireType<T>,
  toAnswer: (result: R) => T,
): Form<P, WireType<T>> {
  return { ...form, returns, toAnswer };
}

function obsolete({ name, description, returns, pending }: WithRecord) {
  return { description, returns, pending, replacedBy: name, toAnswer: (result: HubResult): unknown => result };
}
