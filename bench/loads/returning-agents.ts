import { setTimeout as delay } from 'node:timers/promises';

import { DEFAULT_JITTER_SECONDS, reconnectDelay } from '../../agent/src/connection/back-off.js';
import { serveCalls } from '../harness/serve-calls.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';

/*
 * Agents that come back as the reference agent does: after a random time, and again later as long as nobody accepts their reports. One that
 * hears nothing from its server leaves it.
 */

interface Returning {
  /** Server of the first connection. */
  readonly first: AgentTarget;
  /** Server of all later ones. */
  readonly later: AgentTarget;
  readonly devices: readonly number[];
}

/** A time without a connection, in milliseconds since 1970. */
interface Absence {
  readonly lostAt: number;
  readonly backAt: number;
}

/** Numbers of the agents that are away and of absences that are over. */
export interface Away {
  readonly away: number;
  readonly over: number;
  /** End of the last absence that is over, in milliseconds since 1970. */
  readonly lastBackAt: number;
  /** Reason of the last attempt that failed. */
  readonly lastFailure: string;
}

const CONNECTING_AT_ONCE = 50;
/** Time without a word of the server after which an agent leaves, as in the client of the reference agent. */
const SILENCE_MS = 30_000;
/** Time for a connection and its first report. */
const ATTEMPT_MS = 30_000;
const LOOK_MS = 1_000;

const now = (): number => performance.timeOrigin + performance.now();

class ReturningAgent {
  lostAt: number | null = null;
  private isOver = false;

  constructor(
    private readonly agent: LoadAgent,
    private readonly later: AgentTarget,
  ) {}

  /** Connects and reports. Returns true if the report was accepted. */
  async join(target: AgentTarget): Promise<boolean> {
    const { agent } = this;
    agent.onLost = () => undefined;
    agent.prepare(1, target);
    await agent.connect(target);
    const isAccepted = await agent.beat();
    if (isAccepted) agent.onLost = () => void this.comeBack();
    return isAccepted;
  }

  /** Leaves a server that says nothing. */
  look(): void {
    if (this.lostAt === null && performance.now() - this.agent.heardAt > SILENCE_MS) this.agent.lose();
  }

  end(): void {
    this.isOver = true;
    this.agent.onLost = () => undefined;
    this.agent.lose();
  }

  private async tryJoin(): Promise<boolean> {
    try {
      const isAccepted = await Promise.race([this.join(this.later), delay(ATTEMPT_MS)]);
      if (isAccepted !== true) lastFailure = isAccepted === false ? 'a report was refused' : 'a report was not answered in time';
      return isAccepted === true;
    } catch (error) {
      lastFailure = error instanceof Error ? error.message : String(error);
      return false;
    }
  }

  private async comeBack(): Promise<void> {
    const lostAt = now();
    this.lostAt = lostAt;
    await delay(reconnectDelay(0, DEFAULT_JITTER_SECONDS));
    for (let attempt = 0; !this.isOver; attempt += 1) {
      if (attempt > 0) await delay(reconnectDelay(attempt, DEFAULT_JITTER_SECONDS));
      const isBack = await this.tryJoin();
      if (!isBack) continue;
      this.lostAt = null;
      absences.push({ lostAt, backAt: now() });
      return;
    }
  }
}

let agents: ReturningAgent[] = [];
let absences: Absence[] = [];
let lastFailure = 'none';
setInterval(() => {
  for (const agent of agents) agent.look();
}, LOOK_MS).unref();

const calls = {
  /** Connects the agents of these devices. */
  async connect({ first, later, devices }: Returning): Promise<void> {
    const joining = devices.map((device) => new ReturningAgent(new LoadAgent(device), later));
    const waiting = [...joining];
    await Promise.all(
      Array.from({ length: CONNECTING_AT_ONCE }, async () => {
        for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
          if (!(await agent.join(first))) throw new Error('A device was refused.');
        }
      }),
    );
    agents.push(...joining);
  },

  /** The agents that are away, and those that are back. */
  absent(): Away {
    const away = agents.filter(({ lostAt }) => lostAt !== null).length;
    return { away, over: absences.length, lastBackAt: absences.at(-1)?.backAt ?? 0, lastFailure };
  },

  /** The absences that are over. */
  absences(): readonly Absence[] {
    return absences;
  },

  /** Disconnects every agent for good. */
  disconnect(): void {
    for (const agent of agents) agent.end();
    agents = [];
    absences = [];
  },
};

export type ReturningCalls = typeof calls;
serveCalls(calls);
