import { Injectable } from '@nestjs/common';

import { AGENT_FEATURES, type AgentFeature } from '#libs/contracts';

const KNOWN: ReadonlySet<string> = new Set(AGENT_FEATURES);
const isKnown = (name: string): name is AgentFeature => KNOWN.has(name);

/** Methods that the connected agents serve beyond what every agent does. */
@Injectable()
export class AgentFeatures {
  private readonly offered = new Map<string, ReadonlySet<AgentFeature>>();

  /** Checks that the agent of a connection has offered the feature. */
  has(connectionId: string, feature: AgentFeature): boolean {
    return this.offered.get(connectionId)?.has(feature) === true;
  }

  /** Notes what the agent of an open connection offers, in place of what it offered before. Unknown names are left out. */
  offer(connectionId: string, names: readonly string[]): void {
    this.offered.set(connectionId, new Set(names.filter(isKnown)));
  }

  /** Forgets a connection that has ended. */
  ended(connectionId: string): void {
    this.offered.delete(connectionId);
  }
}
