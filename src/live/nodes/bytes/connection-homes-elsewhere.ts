import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable, Logger } from '@nestjs/common';

import { type Home, type HttpAnswer, plainAnswer, respond, type Upgrade } from '#libs/signalr';

import { CALL_TOO_LATE, isTooOld } from '../../../devices/device-link/call-age.js';
import { Standstill } from '../../../devices/device-link/standstill.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { UnauthenticatedConnections } from '../../../platform/http/connections/unauthenticated-connections.js';
import { Forwarding } from './forwarding.js';
import type { Passed } from './node-requests.js';
import { Splicing } from './splicing.js';

const UNKNOWN = plainAnswer(404, 'No connection with this id.');
const UNREACHABLE = plainAnswer(503, 'The node of this connection cannot be reached.');
const TOO_LATE = plainAnswer(503, CALL_TOO_LATE);
const ANSWERS: Readonly<Record<Exclude<Passed, 'answered'>, HttpAnswer>> = {
  misdirected: UNKNOWN,
  gone: UNKNOWN,
  unreachable: { ...UNREACHABLE, headers: { ...UNREACHABLE.headers, 'Retry-After': '2' } },
  busy: { ...UNREACHABLE, headers: { ...UNREACHABLE.headers, 'Retry-After': '2' } },
  broken: plainAnswer(502, 'The node of this connection did not answer.'),
};

/** Other nodes as the homes of hub connections. */
@Injectable()
export class ConnectionHomesElsewhere {
  private readonly logger = new Logger('Nodes');

  constructor(
    private readonly forwarding: Forwarding,
    private readonly splicing: Splicing,
    private readonly standstill: Standstill,
    private readonly unauthenticated: UnauthenticatedConnections,
  ) {}

  /** The home at a node. A client whose home has ended is told that there is no connection, so that it negotiates again. */
  at(nodeId: string): Home {
    return {
      forward: (request, response) => void this.forward(request, response, nodeId),
      splice: (upgrade) => void this.splice(upgrade, nodeId),
    };
  }

  private async forward(request: IncomingMessage, response: ServerResponse, nodeId: string): Promise<void> {
    // The other node does not know for how long the calls in it have waited here.
    if (request.method === 'POST' && this.areLate()) return respond(response, TOO_LATE);
    const passed = await this.forwarding
      .forward(request, response, nodeId, 'streamed', 'ofConnections')
      .catch((error: unknown) => this.failed(error));
    if (passed === 'answered') this.unauthenticated.answeredElsewhere(request, response);
    else if (!response.closed) respond(response, ANSWERS[passed]);
  }

  private async splice(upgrade: Upgrade, nodeId: string): Promise<void> {
    const passed = await this.splicing.splice(upgrade, nodeId, this.areLate).catch((error: unknown) => this.failed(error));
    if (passed !== 'answered') upgrade.refuse(ANSWERS[passed]);
  }

  /** True if what is read now may have waited here for so long that nobody expects the calls in it any more. */
  private readonly areLate = (): boolean => isTooOld(this.standstill.arrivedSince());

  private failed(error: unknown): Passed {
    this.logger.error(`A request could not be passed on to the node of its connection: ${messageOf(error)}`);
    return 'unreachable';
  }
}
