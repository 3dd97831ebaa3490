import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import type { Upgrade } from '#libs/signalr';

import { edgeOf } from '../../../platform/http/addresses/edge.js';
import { ServiceLine } from '../service-line.js';
import { type AreLate, JoinedSocket } from './joined-sockets.js';
import { type NodeAddress, NodeAddresses } from './node-addresses.js';
import { isNodeHeader } from './node-proof.js';
import { failureOf, NodeRequests, type Passed } from './node-requests.js';
import { PassingLimits } from './passing-limits.js';
import { giveUpAtStandstill } from './standstill-limit.js';

/** Lets other nodes decide about upgrades that clients have sent to this one, and passes the bytes of both sides. */
@Injectable()
export class Splicing {
  private readonly counter = metrics.getMeter('nodes').createCounter('nodes.spliced', {
    unit: '{connection}',
    description: 'Upgrades that were passed on to another node, by outcome.',
  });
  private count = 0;

  constructor(
    private readonly requests: NodeRequests,
    private readonly addresses: NodeAddresses,
    private readonly line: ServiceLine,
    private readonly limits: PassingLimits,
  ) {}

  /**
   * Lets a node decide about an upgrade. Settles as soon as that node has it; until then the upgrade is undecided. Late bytes end both sides.
   */
  async splice(upgrade: Upgrade, nodeId: string, areLate: AreLate): Promise<Passed> {
    const passed = await this.trySplice(upgrade, nodeId, areLate);
    this.counter.add(1, { outcome: passed });
    return passed;
  }

  private async trySplice(upgrade: Upgrade, nodeId: string, areLate: AreLate): Promise<Passed> {
    if (edgeOf(upgrade.request) !== undefined) return 'misdirected';
    if (this.count >= this.limits.spliced) return 'busy';
    if (!this.line.reaches(nodeId)) return 'unreachable';
    this.count += 1;
    const far = await this.connect(nodeId).catch((error: unknown) => {
      this.count -= 1;
      throw error;
    });
    if (typeof far === 'string') {
      this.count -= 1;
      return far;
    }
    far.once('close', () => (this.count -= 1));
    // A client that has left needs no answer.
    if (!upgrade.take()) far.destroy();
    else this.join(upgrade, far, areLate);
    return 'answered';
  }

  /** @throws the error of the database when the address of the node cannot be read */
  private async connect(nodeId: string): Promise<Socket | Passed> {
    const address: NodeAddress | null = await this.addresses.find(nodeId);
    if (address === null) return 'gone';
    try {
      return await this.requests.connect(address);
    } catch (error) {
      this.addresses.forget(nodeId);
      const failure = failureOf(error);
      return failure === 'broken' ? 'unreachable' : failure;
    }
  }

  private join({ request, socket, head }: Upgrade, connection: Socket, areLate: AreLate): void {
    const near = new JoinedSocket(socket, areLate);
    const far = new JoinedSocket(connection, areLate);
    for (const side of [near, far]) giveUpAtStandstill(side.socket, this.limits.standstillMs);
    far.socket.write(this.headOf(request), 'latin1');
    if (head.length > 0) far.socket.write(head);
    near.begin(far);
    far.begin(near);
  }

  /** The head of a request as it came, with its proof. */
  private headOf(request: IncomingMessage): string {
    const { rawHeaders } = request;
    const proved = this.requests.provedOf(request);
    const lines = [`${proved.method} ${proved.url} HTTP/1.1`];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (!isNodeHeader(rawHeaders[at])) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
    }
    for (const [name, value] of Object.entries(this.requests.proofOf(proved))) lines.push(`${name}: ${value}`);
    return `${lines.join('\r\n')}\r\n\r\n`;
  }
}
