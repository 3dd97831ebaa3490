import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { plainAnswer, refuseUpgrade, respond, UpgradeRouter } from '#libs/signalr';

import { Settings } from '../../../platform/config/settings.js';
import { hostInUrl } from '../../../platform/config/url-text.js';
import { listenError } from '../../../platform/http/address-error.js';
import { setEdge } from '../../../platform/http/addresses/edge.js';
import { RequestDrain } from '../../../platform/http/connections/request-drain.js';
import { limitSlowClients } from '../../../platform/http/connections/slow-clients.js';
import { setReadAt } from '../../../platform/http/read-time.js';
import { ServiceAdapter } from '../../../platform/http/service-adapter.js';
import { REQUESTS_MS } from '../../../platform/node/drain-times.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { NodeProof } from './node-proof.js';

const ALL_ADDRESSES = '0.0.0.0';
const LOOPBACK = '127.0.0.1';
/** Answer to a request that no node has proved. */
export const NOT_PROVED_TEXT = 'This port serves the other nodes of the service only.';
const NOT_PROVED = plainAnswer(403, NOT_PROVED_TEXT);

/** Answers a request at a path that only other nodes can call. */
export type InternalRoute = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The port at which other nodes reach this one. It serves what the public port serves, to requests that a node has proved, and believes
 * what that node says about the client.
 */
@Injectable()
export class InternalPort implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly proof: NodeProof;
  private readonly routes = new Map<string, InternalRoute>();
  private server: Server | null = null;

  constructor(
    private readonly adapters: HttpAdapterHost<ServiceAdapter>,
    private readonly upgrades: UpgradeRouter,
    private readonly node: ServerNode,
    private readonly drain: RequestDrain,
    private readonly settings: Settings,
  ) {
    this.proof = new NodeProof(settings.nodes.secret, () => node.databaseTime());
  }

  /** Serves a path, without query, for other nodes only. Call it before the application has started. */
  route(path: string, route: InternalRoute): void {
    this.routes.set(path, route);
  }

  /** @throws AddressError when the address or port cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    const { port, bindAddress } = this.settings.nodes;
    const address = bindAddress === '' ? ALL_ADDRESSES : bindAddress;
    const server = this.adapters.httpAdapter.anotherServer((request, response) => this.serve(request, response));
    // Without a listener Node.js would ask for the body before anybody has looked at the request.
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => this.serve(request, response));
    server.on('upgrade', (request, socket, head) => {
      if (this.letsIn(request)) void this.upgrades.handle(request, socket, head);
      else refuseUpgrade(socket, NOT_PROVED);
    });
    limitSlowClients(server);
    try {
      server.listen(port, address);
      await once(server, 'listening');
    } catch (error) {
      throw listenError(error, `${hostInUrl(address)}:${port}`, {
        port: 'Service_Nodes__Port',
        bindAddress: 'Service_Nodes__BindAddress',
      });
    }
    this.server = server;
    this.drain.add(server);
    await this.node.announce(this.address(server));
  }

  /** By now hub connections and transfers have ended. */
  beforeApplicationShutdown(): void {
    if (this.server !== null) this.drain.close(this.server, REQUESTS_MS);
  }

  /** By now nothing serves any more. */
  onApplicationShutdown(): void {
    this.server?.closeAllConnections();
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    if (!this.letsIn(request)) return respond(response, NOT_PROVED);
    leaveOutCommonHeaders(response);
    const route = this.routes.get(request.url?.split('?', 1)[0] ?? '');
    if (route === undefined) this.adapters.httpAdapter.serve(request, response);
    else route(request, response);
  }

  private letsIn(request: IncomingMessage): boolean {
    const edge = this.proof.check(request);
    if (edge === null) return false;
    setEdge(request, edge);
    if (edge.readAt !== undefined) setReadAt(request, performance.now() - Math.max(0, this.node.databaseTime() - edge.readAt));
    return true;
  }

  private address(server: Server): string {
    const { address, bindAddress } = this.settings.nodes;
    if (address !== '') return address;
    const { port } = server.address() as AddressInfo;
    return `${hostInUrl(isUnspecified(bindAddress) ? firstAddress() : bindAddress)}:${port}`;
  }
}

/** Leaves to the node that passes the request on what Node.js adds to every answer. That a connection is kept is the rule. */
function leaveOutCommonHeaders(response: ServerResponse): void {
  response.sendDate = false;
  if (response.shouldKeepAlive) response.removeHeader('Connection');
}

const isUnspecified = (address: string): boolean => ['', ALL_ADDRESSES, '::'].includes(address);

/** The first address of this machine that others may reach, or else its own. */
function firstAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? LOOPBACK;
}
