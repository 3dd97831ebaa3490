import type { AttackCount } from '../attacks/attack.js';
import { HubSocket, invocation } from '../harness/hub-socket.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Anonymous connections to the agent hub that want to disturb.
 */

interface HubAttack {
  readonly url: string;
  readonly connections: number;
}

const AGENT_HUB = '/hubs/agent';
/** Calls of a connection that are under way. */
const CALLS_UNDER_WAY = 50;
const DRIP_MS = 100;
/** Just below the hub's limit of a message, in bytes. */
const UNFINISHED_BYTES = 700 * 1024;

let sockets: HubSocket[] = [];
let drip: NodeJS.Timeout | undefined;
let count = { answered: 0, refused: 0, failed: 0 };

const calls = {
  /** Opens connections that do nothing. */
  async open(attack: HubAttack): Promise<void> {
    await openAll(attack);
  },

  /** Opens connections that call a method that there is not, again as soon as they are told so. */
  async callUnknownMethods(attack: HubAttack): Promise<void> {
    await openAll(attack);
    for (const socket of sockets) {
      const call = invocation('1', 'NoSuchMethod', '[]');
      socket.onRecord = () => {
        count.answered += 1;
        socket.send(call);
      };
      for (let number = 0; number < CALLS_UNDER_WAY; number += 1) socket.send(call);
    }
  },

  /** Opens connections that send a message whose end never comes, a byte at a time at last. */
  async sendUnfinished(attack: HubAttack): Promise<void> {
    await openAll(attack);
    const start = `{"type":1,"target":"${'x'.repeat(UNFINISHED_BYTES)}`;
    for (const socket of sockets) socket.send(start);
    drip = setInterval(() => {
      for (const socket of sockets) socket.send('x');
    }, DRIP_MS);
  },

  /** Opens connections that send empty frames, or pings, as fast as the network takes them. */
  async sendNothing({ kind, ...attack }: HubAttack & { readonly kind: 'empty frames' | 'pings' }): Promise<void> {
    await openAll(attack);
    const go = (): void => {
      for (const socket of sockets) socket.sendNothing(kind);
      if (sockets.length > 0) setImmediate(go);
    };
    go();
  },

  /** Ends the attack. Returns the outcomes of its calls. */
  async stop(): Promise<AttackCount> {
    clearInterval(drip);
    const closing = sockets;
    sockets = [];
    for (const socket of closing) socket.onRecord = () => undefined;
    await Promise.all(closing.map((socket) => socket.close()));
    return count;
  },
};

export type HubAttackCalls = typeof calls;
serveCalls(calls);

/** Opens as many of the connections as the server lets in. */
async function openAll({ url, connections }: HubAttack): Promise<void> {
  count = { answered: 0, refused: 0, failed: 0 };
  const opened = await Promise.allSettled(Array.from({ length: connections }, () => HubSocket.connect(url, AGENT_HUB)));
  sockets = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  count.refused = connections - sockets.length;
}
