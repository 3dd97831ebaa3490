import { DomainError, ErrorCode } from '../../../platform/common/errors/errors.js';

/** A caller should try again after so many seconds. */
const RETRY = { 'Retry-After': '2' };

const UNREACHABLE = 'The node of this device cannot be reached.';
const UNKNOWN = 'The node of this device did not answer. The device may have received the call.';
const OTHER_RELEASE = 'The node of this device is of another release, which does not know this call.';
const TOO_MANY = 'Too many calls between nodes are under way.';

/** The call was not begun: the asked node does not serve it, or it came too late. It may be made again. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** 502: the asked node does not know the method, because it is of another release. */
export class UnknownCall extends DomainError {
  constructor() {
    super(ErrorCode.BadGateway, OTHER_RELEASE);
  }
}

/** 503: the call was not sent, or nobody heard it. */
export class NodeUnreachable extends DomainError {
  constructor() {
    super(ErrorCode.Unavailable, UNREACHABLE, undefined, RETRY);
  }
}

/** 502: the call was sent, and its node ended or is silent. It must not be made again. */
export class OutcomeUnknown extends DomainError {
  constructor() {
    super(ErrorCode.BadGateway, UNKNOWN);
  }
}

/** 413: one message between nodes does not hold the call. */
export class TooLargeForNodes extends DomainError {
  constructor() {
    super(ErrorCode.PayloadTooLarge, 'The call is too large for the way to another node.');
  }
}

/** 503: a bound of the calls under way is reached. */
export class TooManyNodeCalls extends DomainError {
  constructor() {
    super(ErrorCode.Unavailable, TOO_MANY, undefined, RETRY);
  }
}

/** The method of a call, and the answer to it, as the nodes name them. */
export interface NodeMethods {
  readonly [method: string]: { readonly args: readonly unknown[]; readonly answer: unknown };
}

/** Calls that share bounds. Output waits for slow viewers, and must not take the places of commands; questions are about the calls of both. */
export type CallShare = 'commands' | 'output' | 'questions';

/** Those on whose behalf a call is made, and the bounds that it shares with other calls. */
export interface CallPurpose {
  /** A tenant; {@link OWN_CALLS} by default. No user takes all that a share has. */
  readonly user?: string | undefined;
  /** `commands` by default. */
  readonly share?: CallShare;
  /** Time since which the call has waited at this node, by the monotonic clock in milliseconds; now by default. */
  readonly madeAt?: number | undefined;
}

/** The user of calls that this node makes on its own behalf. */
export const OWN_CALLS = '';

/** Calls other nodes. */
export interface NodeCalls<Methods extends NodeMethods> {
  /**
   * Calls a node at most once, within the bounds of its purpose.
   * @throws NotDone, NodeUnreachable, OutcomeUnknown, TooManyNodeCalls, TooLargeForNodes, UnknownCall; and what the asked node refuses with, as a DomainError
   */
  call<M extends string & keyof Methods>(
    nodeId: string,
    method: M,
    args: Methods[M]['args'],
    withinMs: number,
    purpose?: CallPurpose,
  ): Promise<Methods[M]['answer']>;
}

/** Serves the calls of other nodes. `madeAt` is the time since which the call has waited, by this node's monotonic clock in milliseconds. */
export type NodeMethodHandlers<Methods extends NodeMethods> = {
  readonly [M in keyof Methods]: (args: readonly unknown[], madeAt: number) => Promise<Methods[M]['answer']>;
};
