import type { BenchPart } from '../harness/bench-part.js';
import { createAdministrator, deviceIdOf } from '../harness/database.js';
import { median } from '../harness/rounds.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { until } from '../harness/until.js';

const ROUNDS = 20;
/** Time for which a node is asked after a right was taken, in milliseconds: longer than the floor. */
const ASKED_MS = 400;
const PERMISSION = 'device.read';

/** Goal N11: the time for which another node still grants a right that was taken. */
export const rights: BenchPart = {
  title: 'right taken at one node, asked at another',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 1, isRough: true }, async (scene) => {
      const assignments = new Assignments(scene, await createAdministrator(scene.database));
      const stale: number[] = [];
      let id = await assignments.find();
      for (let round = 0; round < ROUNDS; round += 1) {
        await until('the other node grants the right', () => assignments.isGranted(scene.node(1).url));
        stale.push(await staleness(assignments, id, scene.node(1).url));
        id = await assignments.give();
      }
      const longest = Math.max(...stale);
      return {
        findings: [
          {
            goal: 'N11',
            what: `right taken at one node: longest time for which another one grants it, of ${ROUNDS} times`,
            baseline: '',
            measured: `${longest.toFixed(0)} ms, median ${median(stale).toFixed(0)} ms`,
            value: longest,
            unit: 'ms',
            better: 'lower',
            floor: 250,
            aim: 50,
            notes: [],
          },
        ],
      };
    }),
};

/** Takes the right at node 0, and returns the time from that answer to the last one of the other node that granted it. */
async function staleness(assignments: Assignments, id: string, url: string): Promise<number> {
  let takenAt = Number.POSITIVE_INFINITY;
  let grantedAt = Number.NEGATIVE_INFINITY;
  const taking = assignments.take(id).then(() => (takenAt = performance.now()));
  while (performance.now() < takenAt + ASKED_MS) {
    const askedAt = performance.now();
    // An answer to a question that was asked before the right was taken may grant it.
    if ((await assignments.isGranted(url)) && askedAt > takenAt) grantedAt = performance.now();
  }
  await taking;
  return Math.max(0, grantedAt - takenAt);
}

/** The assignment by which the account of the fleet may read devices. */
class Assignments {
  private readonly path: string;

  constructor(
    private readonly scene: NodesScene,
    private readonly administratorKey: string,
  ) {
    this.path = '/api/v1/permission-assignments';
  }

  /** The id of the assignment. */
  async find(): Promise<string> {
    const { accountId } = this.scene.fleet;
    const answer = await this.ask('GET', `?principalKind=ServiceAccount&principalId=${accountId}&tenantId=${this.scene.fleet.tenantId}`);
    const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string; readonly permissionName: string }[] };
    const found = items.find(({ permissionName }) => permissionName === PERMISSION);
    if (found === undefined) throw new Error('The account may not read devices.');
    return found.id;
  }

  /** Gives the right again, and returns the id of the new assignment. */
  async give(): Promise<string> {
    const { accountId, tenantId } = this.scene.fleet;
    const principal = { principalKind: 'ServiceAccount', principalId: accountId };
    const body = { ...principal, permissionName: PERMISSION, effect: 'Allow', scopeKind: 'Tenant', scopeId: tenantId };
    const answer = await this.ask('POST', `?tenantId=${tenantId}`, body);
    return ((await answer.json()) as { readonly id: string }).id;
  }

  async take(id: string): Promise<void> {
    await this.ask('DELETE', `/${id}?tenantId=${this.scene.fleet.tenantId}`);
  }

  /** Returns true if that node lets the account read the device. */
  async isGranted(url: string): Promise<boolean> {
    const answer = await fetch(`${url}/api/v1/devices/${deviceIdOf(0)}`, { headers: { 'x-api-key': this.scene.fleet.apiKey } });
    await answer.arrayBuffer();
    if (answer.status !== 200 && answer.status !== 403 && answer.status !== 404) throw new Error(`A node answered ${answer.status}.`);
    return answer.status === 200;
  }

  private async ask(method: string, rest: string, body?: object): Promise<Response> {
    const headers = { 'x-api-key': this.administratorKey, 'content-type': 'application/json' };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(`${this.scene.node(0).url}${this.path}${rest}`, { method, headers, body: text });
    if (!answer.ok) throw new Error(`${method} ${this.path} was answered with ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
