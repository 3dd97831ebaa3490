import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { DeviceNodes } from '../../../devices/device-link/at-device-node.js';
import { requireInTime } from '../../../devices/device-link/call-age.js';
import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { edgeOf } from '../../../platform/http/addresses/edge.js';
import { isJsonBodyUnusable } from '../../../platform/http/bodies/json-body.js';
import { beginTransfer } from '../../../platform/http/connections/fair-shares.js';
import { DeviceDirectory, type ForeignPlace } from '../agents/device-directory.js';
import { NodeUnreachable, OutcomeUnknown } from '../line/node-calls.js';
import { Forwarding, type PassedBody } from './forwarding.js';
import { hasBody, MISDIRECTED } from './passed-messages.js';
import type { Passed } from './node-requests.js';

/** Lets the node of a device answer requests that stream from or to it. */
@Injectable()
export class NodesOfDevices implements DeviceNodes {
  constructor(
    private readonly presence: DevicePresence,
    private readonly directory: DeviceDirectory,
    private readonly forwarding: Forwarding,
  ) {}

  async answer(request: Request, response: Response, deviceId: string): Promise<boolean> {
    const isPassedOn = edgeOf(request) !== undefined;
    if (this.presence.isKnown(deviceId)) {
      if (isPassedOn && request.headers.expect !== undefined) response.writeContinue();
      return false;
    }
    if (isPassedOn) {
      response.writeHead(MISDIRECTED, { 'Content-Length': 0 }).end();
      return true;
    }
    const body = bodyOf(request);
    const place = body === null ? undefined : await this.directory.find(deviceId);
    if (body === null || place === undefined) return false;
    // A node of an earlier release does not ask for how long the request has waited here.
    if (request.method !== 'GET') requireInTime(request.readAt);
    await beginTransfer(request);
    return this.pass(request, response, { deviceId, place, body });
  }

  /** Passes a request on. One that was proved not to be begun is passed on once more, to where the device is by then. */
  private async pass(
    request: Request,
    response: Response,
    { deviceId, place, body }: { readonly deviceId: string; readonly place: ForeignPlace; readonly body: PassedBody },
  ): Promise<boolean> {
    const passed = await this.forwarding.forward(request, response, place.nodeId, body);
    if (isOver(passed)) return true;
    this.directory.forget(deviceId, place);
    const next = this.presence.isKnown(deviceId) ? undefined : await this.directory.find(deviceId);
    if (next === undefined) return false;
    if (next.nodeId === place.nodeId) {
      // Its row is not up to date yet: the device has just left that node.
      if (passed === 'misdirected') return false;
      throw new NodeUnreachable();
    }
    const passedNext = await this.forwarding.forward(request, response, next.nodeId, body);
    if (isOver(passedNext)) return true;
    this.directory.forget(deviceId, next);
    if (passedNext === 'misdirected') return false;
    throw new NodeUnreachable();
  }
}

/** True when the request was answered, false when no node has begun it. @throws DomainError in all other cases */
function isOver(passed: Passed): boolean {
  if (passed === 'broken') throw new OutcomeUnknown();
  if (passed === 'busy') throw new NodeUnreachable();
  return passed === 'answered';
}

/** The body of a request, whether it was read here already or not; null for one that the route refuses. */
function bodyOf(request: Request): PassedBody | null {
  if (!request.readableDidRead) return hasBody(request) ? 'asked for' : 'streamed';
  const body: unknown = request.body;
  if (isJsonBodyUnusable(body)) return null;
  return Buffer.from(body === undefined ? '' : JSON.stringify(body));
}
