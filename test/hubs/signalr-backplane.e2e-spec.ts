import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { HubConnection as ClientConnection } from '@microsoft/signalr';
import { type Backplane, clientMethod, ConnectionGoneError, type HubDelivery, SignalRServer, wire } from '#libs/signalr';
import { eventually } from '../support/eventually.js';
import { buildClient } from './signalr-support.js';

const PATH = '/hubs/shared';
const said = clientMethod('Said', [wire.text]);
const ask = clientMethod('Ask', [wire.text], wire.text);

/** Connects several nodes in one process: messages to one connection go to the node in its id, all others to all nodes. */
class Switchboard {
  readonly #nodes = new Map<string, HubDelivery>();

  plug(nodeId: string): Backplane {
    return {
      join: (_path, node) => {
        this.#nodes.set(nodeId, node);
        return this.#delivery();
      },
    };
  }

  #nodeOf(connectionId: string): HubDelivery | undefined {
    return this.#nodes.get(connectionId.split('.')[0]);
  }

  #delivery(): HubDelivery {
    return {
      sendToConnection: (id, call) => this.#nodeOf(id)?.sendToConnection(id, call),
      sendToGroup: (group, call, options) => this.#nodes.forEach((node) => node.sendToGroup(group, call, options)),
      sendToUser: (userId, call) => this.#nodes.forEach((node) => node.sendToUser(userId, call)),
      sendToAll: (call) => this.#nodes.forEach((node) => node.sendToAll(call)),
      invoke: (id, call, options) => this.#nodeOf(id)?.invoke(id, call, options) ?? Promise.reject(new ConnectionGoneError(id)),
      addToGroup: (id, group) => this.#nodeOf(id)?.addToGroup(id, group),
      removeFromGroup: (id, group) => this.#nodeOf(id)?.removeFromGroup(id, group),
    };
  }
}

interface Node {
  readonly http: Server;
  readonly signalR: SignalRServer;
  readonly client: ClientConnection;
  readonly id: string;
  readonly heard: string[];
}

let nodes: Node[];

/** A node without NestJS, and a client of it. */
async function startNode(nodeId: string, backplane: Backplane): Promise<Node> {
  const signalR = new SignalRServer({ nodeId, backplane });
  signalR.addHub({ path: PATH, authenticate: () => ({ accept: true, user: undefined, userId: 'ann' }) });
  const http = createServer((request, response) => {
    if (!signalR.handleRequest(request, response)) response.writeHead(404).end();
  });
  signalR.attach(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The node does not listen.');
  const client = buildClient(`http://127.0.0.1:${address.port}${PATH}`);
  const heard: string[] = [];
  client.on('Said', (text: string) => heard.push(text));
  client.on('Ask', (question: string) => `${nodeId}: ${question}`);
  await client.start();
  return { http, signalR, client, heard, id: client.connectionId ?? '' };
}

beforeEach(async () => {
  const switchboard = new Switchboard();
  nodes = [await startNode('one', switchboard.plug('one')), await startNode('two', switchboard.plug('two'))];
});

afterEach(async () => {
  for (const { http, signalR } of nodes) {
    await signalR.close();
    http.close();
  }
});

describe('a backplane', () => {
  it('reaches one connection, a group, a user and all on other nodes', async () => {
    const [one, two] = nodes;
    const context = one.signalR.context(PATH);
    await context.addToGroup(two.id, 'room');
    context.client(two.id).send(said, ['client']);
    context.group('room').send(said, ['group']);
    context.group('room', [two.id]).send(said, ['not you']);
    context.user('ann').send(said, ['user']);
    context.all().send(said, ['all']);
    await context.removeFromGroup(two.id, 'room');
    context.group('room').send(said, ['too late']);
    context.client(two.id).send(said, ['end']);
    await eventually('the client hears everything', () => two.heard.includes('end'));
    expect(two.heard).toEqual(['client', 'group', 'user', 'all', 'end']);
    await eventually('the other client hears its share', () => one.heard.length === 2);
    expect(one.heard).toEqual(['user', 'all']);
  });

  it('returns the answers of clients of other nodes', async () => {
    const [one, two] = nodes;
    const context = one.signalR.context(PATH);
    expect(await context.client(two.id).invoke(ask, ['Who?'])).toBe('two: Who?');
    await expect(context.client('two.gone').invoke(ask, ['Who?'])).rejects.toThrow("'two.gone' does not exist");
    await expect(context.client('three.gone').invoke(ask, ['Who?'])).rejects.toThrow("'three.gone' does not exist");
    expect(context.connection(two.id)).toBeUndefined();
  });
});
