import type { agentClient, AgentMethodName, Arguments, HubResult, RequestOf, Result, viewerHub, ViewerMethod } from '#libs/contracts';

import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';

/** The reason of a call without effect, because its viewer has disconnected. */
export const VIEWER_LEFT = 'The viewer has disconnected.';

/** A call of a viewer that the rules of its method have let pass. */
interface ViewerCall<M extends ViewerMethod> {
  readonly viewer: ConnectedViewer;
  readonly request: RequestOf<M>;
  /** The stream argument of an upload. */
  readonly items: ItemsOf<Arguments<M>>;
  /** The device that the request names. */
  readonly device: M['access'] extends { readonly to: 'a device' } ? DeviceResource : undefined;
  /**
   * Passes the call on to the agent's method that the rules name. The call is sent when it returns its promise, which rejects when the
   * agent cannot be reached or does not answer. A method that answers nothing succeeds once it is sent.
   */
  readonly relay: Relay<M>;
  /** The earliest time at which the call can have arrived, by the monotonic clock in milliseconds. */
  readonly arrivedAt: number;
  /** Fires when the viewer cancels the call or disconnects. */
  readonly canceled: AbortSignal;
}

/** A call of the method of that name. */
export type CallOf<N extends keyof typeof viewerHub> = (typeof viewerHub)[N] extends ViewerMethod
  ? ViewerCall<(typeof viewerHub)[N]>
  : never;

/** Answers the calls of a method. */
export type Handler<M extends ViewerMethod> = (call: ViewerCall<M>) => Promise<Result<M>>;

type ItemsOf<A> = A extends readonly [unknown, infer Items] ? Items : undefined;

type AgentTable = typeof agentClient;
type Relay<M> = M extends { readonly relaysTo: infer N extends AgentMethodName }
  ? (...args: Arguments<AgentTable[N]>) => Promise<RelayedAnswer<AgentTable[N]>>
  : never;
type RelayedAnswer<M> = M extends { readonly returns: unknown } ? Result<M> : HubResult;
