import { Shares } from '../../../platform/common/concurrency/shares.js';
import { type CallShare, NodeUnreachable, OutcomeUnknown, TooManyNodeCalls } from './node-calls.js';

/** Most calls under way, and to one node, in calls and bytes. Users share each: one that waits for long must not take the calls of others. */
interface CallBounds {
  readonly underWay: number;
  readonly toOneNode: number;
  readonly bytesToOneNode: number;
}

/** The bounds of each share. */
export type ShareBounds = Readonly<Record<CallShare, CallBounds>>;

const MIB = 1_024 * 1_024;

export const CALL_BOUNDS: ShareBounds = {
  commands: { underWay: 10_000, toOneNode: 2_000, bytesToOneNode: 8 * MIB },
  output: { underWay: 10_000, toOneNode: 2_000, bytesToOneNode: 4 * MIB },
  questions: { underWay: 1_000, toOneNode: 20, bytesToOneNode: MIB },
};

/** The end of a call: the answer of its node, or the reason why there is none. */
interface CallEnd {
  readonly resolve: (answer: readonly unknown[]) => void;
  readonly reject: (reason: Error) => void;
}

/** A call to a node, of so many bytes. */
export interface NewCall extends CallEnd {
  readonly user: string;
  readonly share: CallShare;
  readonly nodeId: string;
  readonly size: number;
  /** By the monotonic clock, in milliseconds. */
  readonly deadline: number;
}

interface CallUnderWay extends NewCall {
  /** Number of the first call of its message; null before it was sent. */
  batch: number | null;
  /** Time at which it was sent, or its node was asked about it, by the monotonic clock, in milliseconds. */
  askedAt: number;
}

/** The calls of one share to one node. */
interface NodeLoad {
  readonly calls: Shares;
  readonly bytes: Shares;
}

/** The calls of this node that have no answer yet. Each ends once: by its answer, its deadline, or the end of the way to its node. */
export class CallsUnderWay {
  private readonly calls = new Map<number, CallUnderWay>();
  private readonly batches = new Map<number, Set<number>>();
  private readonly counts: Readonly<Record<CallShare, Shares>>;
  /** By share and node. */
  private readonly loads: Readonly<Record<CallShare, Map<string, NodeLoad>>> = {
    commands: new Map(),
    output: new Map(),
    questions: new Map(),
  };
  private last = 0;

  constructor(private readonly bounds: ShareBounds = CALL_BOUNDS) {
    const countOf = (share: CallShare): Shares => new Shares(() => bounds[share].underWay);
    this.counts = { commands: countOf('commands'), output: countOf('output'), questions: countOf('questions') };
  }

  get size(): number {
    return this.calls.size;
  }

  /** The number for the next call. */
  nextNumber(): number {
    this.last += 1;
    return this.last;
  }

  /** Adds a call. @throws TooManyNodeCalls when too much is under way in its share, or of its user */
  add(number: number, call: NewCall): void {
    const { user, share, nodeId, size } = call;
    const load = this.loads[share].get(nodeId) ?? this.noLoad(share);
    const hasRoom = load.calls.taken === 0 || (load.calls.hasRoomFor(user) && load.bytes.hasRoomFor(user, size));
    if (!hasRoom || !this.counts[share].hasRoomFor(user)) throw new TooManyNodeCalls();
    load.calls.add(user);
    load.bytes.add(user, size);
    this.counts[share].add(user);
    this.loads[share].set(nodeId, load);
    this.calls.set(number, { ...call, batch: null, askedAt: 0 });
  }

  /** Notes that these calls leave in one message, and returns those that still wait for an answer. */
  sent(numbers: readonly number[], now: number): readonly number[] {
    const open = numbers.filter((number) => this.calls.has(number));
    const [first] = open;
    if (first === undefined) return open;
    this.batches.set(first, new Set(open));
    for (const number of open) {
      const call = this.calls.get(number);
      if (call === undefined) continue;
      call.batch = first;
      call.askedAt = now;
    }
    return open;
  }

  /** Ends a call by its answer. Returns false for an unknown number. */
  answered(number: number, answer: readonly unknown[]): boolean {
    const call = this.calls.get(number);
    if (call === undefined) return false;
    this.remove(number, call);
    call.resolve(answer);
    return true;
  }

  /** Ends the calls of a message that nobody heard: they were not done. */
  unheard(batch: number): void {
    for (const number of this.batches.get(batch) ?? []) this.end(number, new NodeUnreachable());
  }

  /** Ends all calls to a node: those that were sent may have been done. */
  lost(nodeId: string): void {
    for (const [number, call] of this.calls) if (call.nodeId === nodeId) this.end(number, lostReason(call));
  }

  /** Ends the calls to all nodes. */
  allLost(): void {
    for (const [number, call] of this.calls) this.end(number, lostReason(call));
  }

  /** Ends the calls whose time is over. */
  expire(now: number): void {
    for (const [number, call] of this.calls) if (call.deadline <= now) this.end(number, lostReason(call));
  }

  /** The calls that were sent, or asked about, so long ago, by node. They count as asked about now. */
  unheardOf(now: number, afterMs: number): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, number[]>();
    for (const [number, call] of this.calls) {
      if (call.batch === null || call.askedAt > now - afterMs) continue;
      call.askedAt = now;
      const numbers = found.get(call.nodeId);
      if (numbers === undefined) found.set(call.nodeId, [number]);
      else numbers.push(number);
    }
    return found;
  }

  /** Ends a call that may have been done. Returns false if it has ended. */
  lostOne(number: number): boolean {
    return this.end(number, new OutcomeUnknown());
  }

  private end(number: number, reason: Error): boolean {
    const call = this.calls.get(number);
    if (call === undefined) return false;
    this.remove(number, call);
    call.reject(reason);
    return true;
  }

  private noLoad(share: CallShare): NodeLoad {
    const { toOneNode, bytesToOneNode } = this.bounds[share];
    return { calls: new Shares(() => toOneNode), bytes: new Shares(() => bytesToOneNode) };
  }

  private remove(number: number, { user, share, nodeId, size, batch }: CallUnderWay): void {
    this.calls.delete(number);
    this.counts[share].give(user);
    const load = this.loads[share].get(nodeId);
    if (load !== undefined) {
      load.calls.give(user);
      load.bytes.give(user, size);
      if (load.calls.taken === 0) this.loads[share].delete(nodeId);
    }
    if (batch === null) return;
    const numbers = this.batches.get(batch);
    numbers?.delete(number);
    if (numbers?.size === 0) this.batches.delete(batch);
  }
}

function lostReason({ batch }: CallUnderWay): Error {
  return batch === null ? new NodeUnreachable() : new OutcomeUnknown();
}
