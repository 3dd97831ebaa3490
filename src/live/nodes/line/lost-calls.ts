import type { CallsUnderWay } from './calls-under-way.js';
import { NodeUnreachable, OutcomeUnknown } from './node-calls.js';

/** Time without a word about a call after which its node is asked about it, in milliseconds. */
const ASKED_AFTER_MS = 4_000;

/** Asks a node which of these calls it does not serve. The answer comes after those to calls that the node has served by then. */
export type Question = (nodeId: string, numbers: readonly number[]) => Promise<unknown>;

/**
 * Finds calls whose message, or whose answer, is lost although both nodes have kept their connections: servers of the carrier that lose each
 * other lose what was between them. The node of a call that has no answer for some time is asked, and again after the same time.
 */
export class LostCalls {
  constructor(
    private readonly underWay: CallsUnderWay,
    private readonly ask: Question,
    private readonly found: (nodeId: string, calls: number) => void,
  ) {}

  look(now: number): void {
    for (const [nodeId, numbers] of this.underWay.unheardOf(now, ASKED_AFTER_MS)) void this.lookAt(nodeId, numbers);
  }

  private async lookAt(nodeId: string, numbers: readonly number[]): Promise<void> {
    const lost = await this.unknownAt(nodeId, numbers);
    const ended = lost.filter((number) => this.underWay.lostOne(number));
    if (ended.length > 0) this.found(nodeId, ended.length);
  }

  private async unknownAt(nodeId: string, numbers: readonly number[]): Promise<readonly number[]> {
    try {
      const unknown = new Set(asList(await this.ask(nodeId, numbers)));
      return numbers.filter((number) => unknown.has(number));
    } catch (error) {
      // A node that refuses the question is there: it has too much to do, or is of a release that does not know it.
      return error instanceof OutcomeUnknown || error instanceof NodeUnreachable ? numbers : [];
    }
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
