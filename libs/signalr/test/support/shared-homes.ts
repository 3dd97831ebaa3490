import {
  type Claim,
  type Claimant,
  type ConnectionHomes,
  ConnectionTable,
  type HomesOptions,
  type Negotiated,
  type NegotiationRequest,
  type SignalRServer,
} from '../../src/index.js';

/** Knows the node of one process that has a connection, and lets that node answer the requests that reach others. */
export class SharedHomes {
  readonly servers = new Map<string, SignalRServer>();
  /** The id of the node that has negotiated a token. */
  readonly #nodes = new Map<string, string>();
  /** The passages to another node: requests by their method, and upgrades. */
  readonly passedOn: string[] = [];

  /** The homes of one node. */
  of({ nodeId, limits, now }: HomesOptions): ConnectionHomes {
    const here = new ConnectionTable(nodeId, limits, now);
    return {
      issue: (request: NegotiationRequest): Negotiated | undefined => {
        const negotiated = here.issue(request);
        if (negotiated !== undefined) this.#nodes.set(negotiated.token, nodeId);
        return negotiated;
      },
      claim: (token: string, by: Claimant): Claim | Promise<Claim> => {
        const home = this.#nodes.get(token);
        return home === undefined || home === nodeId ? here.claim(token, by) : this.#elsewhere(home);
      },
      ended: (token: string): void => {
        here.ended(token);
        this.#nodes.delete(token);
      },
      sweep: () => here.sweep(),
    };
  }

  /** The claim that another process would answer over the network. */
  async #elsewhere(nodeId: string): Promise<Claim> {
    await new Promise((resolve) => setImmediate(resolve));
    const server = this.servers.get(nodeId);
    if (server === undefined) return { outcome: 'unknown' };
    return {
      outcome: 'elsewhere',
      home: {
        forward: (request, response) => {
          this.passedOn.push(request.method ?? '');
          server.handleRequest(request, response);
        },
        splice: (upgrade) => {
          this.passedOn.push('upgrade');
          if (upgrade.take()) void server.upgrades.handle(upgrade.request, upgrade.socket, upgrade.head);
        },
      },
    };
  }
}
