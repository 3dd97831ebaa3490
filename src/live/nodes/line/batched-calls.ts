import { Logger } from '@nestjs/common';

import { MAXIMUM_AGE_MS } from '../../../devices/device-link/call-age.js';
import { DomainError, ErrorCode, messageOf } from '../../../platform/common/errors/errors.js';
import { CALL_BOUNDS, CallsUnderWay, type ShareBounds } from './calls-under-way.js';
import { type CarriedCall, joinParts, readAnswers, readCalls, writeAnswer, writeCall } from './call-messages.js';
import { type Carrier, type Heard, MAXIMUM_MESSAGE_BYTES, SUBJECTS } from './carrier.js';
import { LostCalls } from './lost-calls.js';
import {
  type CallPurpose,
  type NodeCalls,
  type NodeMethodHandlers,
  type NodeMethods,
  NodeUnreachable,
  NotDone,
  OutcomeUnknown,
  OWN_CALLS,
  TooLargeForNodes,
  TooManyNodeCalls,
  UnknownCall,
} from './node-calls.js';
import type { CallOutcome } from './node-metrics.js';
import { ServedCalls } from './served-calls.js';
import { TurnBatches } from './turn-batches.js';

/** A message is joined of parts up to this size. */
const BATCH_BYTES = 65_536;
/** Most bytes of a call or an answer. A message of the hubs has at most 1 MiB. */
const MAXIMUM_PART_BYTES = MAXIMUM_MESSAGE_BYTES - 1_024;
const DEADLINE_INTERVAL_MS = 250;
/** Calls of others that this node serves at a time. */
const MAXIMUM_SERVED = 20_000;
/** `[number, …]` → those of these calls of the asking node that the asked one does not serve. Answered by the line itself. */
const UNANSWERED = 'Unanswered';
/** Longest wait for the answer to that question, in milliseconds. */
const UNANSWERED_WITHIN_MS = 2_000;

const ANSWER_SUBJECT = /^dm\.1\.answer\.([\w-]{1,64})\.(\d{1,15})$/;

/** First item of an answer. */
const Outcome = { Done: 0, Refused: 1, NotDone: 2, UnknownMethod: 3 } as const;

interface Part {
  readonly bytes: Buffer;
}

interface CallPart extends Part {
  readonly number: number;
}

/** This node as the calls see it. */
export interface OwnNode {
  readonly id: string;
  /** The database's clock, in milliseconds. */
  databaseTime(): number;
  /** Checks that a node was heard recently. */
  reaches(nodeId: string): boolean;
  /** A message that no node of this release sends. */
  refused(kind: string): void;
  /** A call has ended, after so many milliseconds. */
  called(method: string, outcome: CallOutcome, milliseconds: number): void;
  /** So many calls or answers have left in one message. */
  batched(parts: number): void;
}

/**
 * Calls over a carrier. What is called in one turn leaves as one message for each node, and so do the answers. Each call is sent once, and
 * has an end: its answer, its deadline, or the end of the way to its node.
 */
export class BatchedCalls<Methods extends NodeMethods> implements NodeCalls<Methods> {
  private readonly logger = new Logger('Nodes');
  private readonly underWay: CallsUnderWay;
  private readonly calls = new TurnBatches<CallPart>(BATCH_BYTES, (nodeId, parts) => this.sendCalls(nodeId, parts));
  private readonly answers = new TurnBatches<Part>(BATCH_BYTES, (nodeId, parts) => this.sendAnswers(nodeId, parts));
  private readonly lostCalls: LostCalls;
  private readonly served = new ServedCalls();
  private deadlines: NodeJS.Timeout | null = null;

  constructor(
    private readonly own: OwnNode,
    private readonly carrier: Pick<Carrier, 'isUp' | 'publish'>,
    private readonly handlers: Partial<NodeMethodHandlers<Methods>>,
    bounds: ShareBounds = CALL_BOUNDS,
  ) {
    this.underWay = new CallsUnderWay(bounds);
    this.lostCalls = new LostCalls(
      this.underWay,
      async (nodeId, numbers) => valueOf(await this.answerOf(nodeId, UNANSWERED, numbers, UNANSWERED_WITHIN_MS, { share: 'questions' })),
      (nodeId, calls) => this.logger.warn({ message: 'Calls to a node have got lost on the way, or their answers.', nodeId, calls }),
    );
  }

  async call<M extends string & keyof Methods>(
    nodeId: string,
    method: M,
    args: Methods[M]['args'],
    withinMs: number,
    purpose: CallPurpose = {},
  ): Promise<Methods[M]['answer']> {
    const begun = performance.now();
    try {
      const value = valueOf(await this.answerOf(nodeId, method, args, withinMs, purpose));
      this.own.called(method, 'done', performance.now() - begun);
      return value;
    } catch (error) {
      this.own.called(method, outcomeOf(error), performance.now() - begun);
      throw error;
    }
  }

  private answerOf(
    nodeId: string,
    method: string,
    args: readonly unknown[],
    withinMs: number,
    { user = OWN_CALLS, share = 'commands', madeAt }: CallPurpose,
  ): Promise<readonly unknown[]> {
    if (!this.carrier.isUp() || !this.own.reaches(nodeId)) throw new NodeUnreachable();
    const number = this.underWay.nextNumber();
    const now = performance.now();
    const waited = madeAt === undefined ? 0 : now - madeAt;
    const bytes = writeCall({ number, method, madeAt: this.own.databaseTime() - waited, msLeft: withinMs, args });
    if (bytes.length > MAXIMUM_PART_BYTES) throw new TooLargeForNodes();
    return new Promise((resolve, reject) => {
      const deadline = now + withinMs;
      this.underWay.add(number, { user, share, nodeId, size: bytes.length, deadline, resolve, reject });
      this.calls.add(nodeId, { number, bytes });
      this.watchDeadlines();
    });
  }

  /** Serves a message with calls of another node. Its calls begin in this turn, in their order. */
  heardCalls({ reply, payload }: Heard): void {
    const caller = ANSWER_SUBJECT.exec(reply)?.[1];
    const calls = readCalls(payload);
    if (caller === undefined || calls === null) return this.own.refused('calls');
    const now = this.own.databaseTime();
    for (const call of calls) {
      const age = Math.max(0, now - call.madeAt);
      // It waited in a node that stood still, or in a carrier that was cut off.
      if (age > MAXIMUM_AGE_MS || this.served.size >= MAXIMUM_SERVED) this.answer(caller, call.number, [Outcome.NotDone]);
      else this.serve(caller, call, age);
    }
  }

  heardAnswers({ payload }: Heard): void {
    const answers = readAnswers(payload);
    if (answers === null) return this.own.refused('answers');
    for (const { number, answer } of answers) if (!this.underWay.answered(number, answer)) this.own.refused('answer');
  }

  /** Ends the calls of the message with this reply subject: nobody heard it. */
  nobody(reply: string): void {
    const number = ANSWER_SUBJECT.exec(reply)?.[2];
    if (number !== undefined) this.underWay.unheard(Number(number));
  }

  /** Ends the calls to a node that is not heard any more. */
  lost(nodeId: string): void {
    this.underWay.lost(nodeId);
  }

  /** Ends all calls, when the carrier is away. */
  allLost(): void {
    this.underWay.allLost();
  }

  private serve(caller: string, { number, method, args }: CarriedCall, age: number): void {
    if (method === UNANSWERED) return this.answer(caller, number, [Outcome.Done, this.served.unknown(caller, args)]);
    const handler = Object.hasOwn(this.handlers, method) ? this.handlers[method] : undefined;
    if (handler === undefined) return this.answer(caller, number, [Outcome.UnknownMethod]);
    this.served.begin(caller, number);
    handler(args, performance.now() - age)
      .then(
        (value) => this.answer(caller, number, [Outcome.Done, value]),
        (error: unknown) => this.answer(caller, number, this.refusal(method, error)),
      )
      .catch((error: unknown) => this.logger.error({ message: 'A call could not be answered.', method, reason: messageOf(error) }))
      .finally(() => this.served.end(caller, number));
  }

  private refusal(method: string, error: unknown): readonly unknown[] {
    if (error instanceof NotDone) return [Outcome.NotDone];
    if (error instanceof UnknownCall) return [Outcome.UnknownMethod];
    if (error instanceof DomainError) return [Outcome.Refused, error.code, error.message];
    this.logger.error({ message: 'A call of another node failed.', method, reason: messageOf(error) });
    return [Outcome.Refused, ErrorCode.BadGateway, 'The call failed at the node of the device.'];
  }

  private answer(caller: string, number: number, answer: readonly unknown[]): void {
    const bytes = writeAnswer({ number, answer });
    if (bytes.length <= MAXIMUM_PART_BYTES) this.answers.add(caller, { bytes });
    else this.answer(caller, number, [Outcome.Refused, ErrorCode.BadGateway, 'The answer is too large for the way between nodes.']);
  }

  private sendCalls(nodeId: string, parts: readonly CallPart[]): void {
    const numbers = new Set(
      this.underWay.sent(
        parts.map(({ number }) => number),
        performance.now(),
      ),
    );
    const open = parts.filter(({ number }) => numbers.has(number));
    const [first] = open;
    if (first === undefined) return;
    this.own.batched(open.length);
    if (!this.carrier.isUp()) return this.underWay.unheard(first.number);
    const message = joinParts(open.map(({ bytes }) => bytes));
    this.carrier.publish(SUBJECTS.node(nodeId), message, SUBJECTS.answer(this.own.id, first.number));
  }

  private sendAnswers(nodeId: string, parts: readonly Part[]): void {
    // An answer that cannot leave is missed by its caller, whose calls end with the carrier as well.
    if (!this.carrier.isUp()) return;
    this.own.batched(parts.length);
    this.carrier.publish(SUBJECTS.answer(nodeId, 0), joinParts(parts.map(({ bytes }) => bytes)));
  }

  private watchDeadlines(): void {
    this.deadlines ??= setInterval(() => {
      const now = performance.now();
      this.underWay.expire(now);
      this.lostCalls.look(now);
      if (this.underWay.size > 0 || this.deadlines === null) return;
      clearInterval(this.deadlines);
      this.deadlines = null;
    }, DEADLINE_INTERVAL_MS).unref();
  }
}

/** The value of an answer. @throws what the asked node refused with */
function valueOf([outcome, ...rest]: readonly unknown[]): unknown {
  if (outcome === Outcome.Done) return rest[0];
  if (outcome === Outcome.Refused) throw new DomainError(codeOf(rest[0]), String(rest[1]));
  if (outcome === Outcome.UnknownMethod) throw new UnknownCall();
  throw new NotDone('The asked node did not begin the call.');
}

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof NotDone) return 'not_done';
  if (error instanceof NodeUnreachable || error instanceof TooManyNodeCalls) return 'unreachable';
  return error instanceof OutcomeUnknown ? 'unknown' : 'refused';
}

const CODES: ReadonlySet<unknown> = new Set(Object.values(ErrorCode));
const isCode = (value: unknown): value is ErrorCode => CODES.has(value);

function codeOf(value: unknown): ErrorCode {
  return isCode(value) ? value : ErrorCode.BadGateway;
}
