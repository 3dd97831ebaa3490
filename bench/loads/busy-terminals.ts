import type { AttackCount } from '../attacks/attack.js';
import { deviceIdOf } from '../harness/database.js';
import { HubSocket, invocation } from '../harness/hub-socket.js';
import { serveCalls } from '../harness/serve-calls.js';
import { LoadAgent } from './load-agent.js';

/*
 * A device with its agent, and a viewer that opens terminals on it, stops reading, and leaves them printing.
 */

interface Device {
  readonly url: string;
  readonly tenantId: string;
  readonly device: number;
}

interface Viewer {
  readonly url: string;
  readonly apiKey: string;
  readonly device: number;
  readonly terminals: number;
}

/** Output of a busy terminal at once. */
const OUTPUT = 'x'.repeat(50_000);

/** A viewer that has stopped reading, and the number of its terminals' outputs that the server took. */
interface Stalled {
  readonly viewer: HubSocket;
  isOver: boolean;
  taken: number;
}

let agent: LoadAgent | undefined;
let stalled: Stalled | undefined;

const calls = {
  /** Connects the agent of the device. */
  async connectAgent({ url, tenantId, device }: Device): Promise<void> {
    const target = { url, path: '/hubs/agent', tenantId };
    agent = new LoadAgent(device);
    agent.prepare(1, target);
    await agent.connect(target);
    if (!(await agent.beat())) throw new Error('The device of the terminals could not report.');
  },

  /** Opens the terminals, stops reading, and has each of them print again as soon as the server has taken its earlier output. */
  async openAndStall({ url, apiKey, device, terminals }: Viewer): Promise<void> {
    const viewer = await HubSocket.connect(url, '/hubs/viewer', { 'x-api-key': apiKey });
    const ids = Array.from({ length: terminals }, () => crypto.randomUUID());
    await openAll(viewer, deviceIdOf(device), ids);
    viewer.stall();
    const attack = { viewer, isOver: false, taken: 0 };
    stalled = attack;
    for (const id of ids) void keepPrinting(attack, id);
  },

  /** Ends the attack. Returns the number of outputs that the server took. */
  stop(): AttackCount {
    if (stalled === undefined) throw new Error('No viewer has stopped reading.');
    stalled.isOver = true;
    stalled.viewer.cutOff();
    return { answered: stalled.taken, refused: 0, failed: 0 };
  },
};

export type BusyTerminalsCalls = typeof calls;
serveCalls(calls);

function openAll(viewer: HubSocket, deviceId: string, terminalIds: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let opened = 0;
    viewer.onRecord = (record) => {
      if (!record.startsWith('{"type":3')) return;
      if (!record.includes('"isSuccess":true')) reject(new Error(`A terminal was refused: ${record}`));
      opened += 1;
      if (opened === terminalIds.length) resolve();
    };
    for (const terminalId of terminalIds) {
      viewer.send(invocation(terminalId, 'CreateTerminalSession2', JSON.stringify([{ deviceId, terminalId }])));
    }
  });
}

async function keepPrinting(attack: Stalled, terminalId: string): Promise<void> {
  while (!attack.isOver) {
    await agent?.print(attack.viewer.connectionId, terminalId, OUTPUT);
    attack.taken += 1;
  }
}
