import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { DomainError, ErrorCode, notFound } from '../../../platform/common/errors/errors.js';
import { edgeOf } from '../../../platform/http/addresses/edge.js';
import { isJsonBodyUnusable } from '../../../platform/http/bodies/json-body.js';
import type { NamedNodes } from '../../../platform/node/at-named-node.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { NodesRepository, type AddressedNode } from '../nodes.repository.js';
import { Forwarding, type PassedBody } from './forwarding.js';
import { hasBody } from './passed-messages.js';
import type { Passed } from './node-requests.js';

/** A caller should try again after so many seconds. */
const RETRY = { 'Retry-After': '2' };
const NO_BODY = Buffer.alloc(0);

/** Lets nodes answer requests that name them. */
@Injectable()
export class NodesByName implements NamedNodes {
  constructor(
    private readonly node: ServerNode,
    private readonly nodes: NodesRepository,
    private readonly forwarding: Forwarding,
  ) {}

  /** The address of this node: other than its id, it stays the same when the process starts again. */
  async ownName(): Promise<string> {
    return (await this.node.addressOf(this.node.id)) ?? this.node.id;
  }

  async answer(request: Request, response: Response, name: string): Promise<boolean> {
    // A request that was passed on is served where it arrives.
    if (edgeOf(request) !== undefined || name === this.node.id) return false;
    const nodeId = idOfNode(await this.nodes.addressed(), name);
    if (nodeId === null) throw notFound('The node');
    if (nodeId === this.node.id) return false;
    requireAnswered(await this.forwarding.forward(request, response, nodeId, bodyOf(request)));
    return true;
  }
}

/** The id of the node with an id or address; null for none. Of several at one address it is the one that has started last. */
export function idOfNode(nodes: readonly AddressedNode[], name: string): string | null {
  const named = nodes.find(({ id }) => id === name) ?? nodes.findLast(({ address }) => address === name);
  return named?.id ?? null;
}

/** @throws DomainError if no node has answered */
function requireAnswered(passed: Passed): void {
  if (passed === 'answered') return;
  if (passed === 'broken') {
    throw new DomainError(ErrorCode.BadGateway, 'The node did not answer. It may have received the request.');
  }
  throw new DomainError(ErrorCode.Unavailable, 'The node cannot be reached.', undefined, RETRY);
}

/** The body of a request, if it is JSON: no other one was read. */
function bodyOf(request: Request): PassedBody {
  if (!hasBody(request)) return 'streamed';
  const body: unknown = request.body;
  return body === undefined || isJsonBodyUnusable(body) ? NO_BODY : Buffer.from(JSON.stringify(body));
}
