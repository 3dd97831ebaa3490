import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { HubConnection as ClientConnection } from '@microsoft/signalr';
import { type Backplane, clientMethod, type Pushes, SignalRServer, wire } from '../src/index.js';
import { eventually } from './support/eventually.js';
import { buildClient } from './support/running-hubs.js';

const PATH = '/hubs/shared';
const said = clientMethod('Said', [wire.text]);
const ask = clientMethod('Ask', [wire.text], wire.text);

/** Connects several nodes in one process: messages go to all of them. */
class Switchboard {
  readonly #nodes: Pushes[] = [];

  plug(): Backplane {
    return {
      join: (_path, node) => {
        this.#nodes.push(node);
        return { push: (target, call, options) => this.#nodes.forEach((each) => each.push(target, call, options)) };
      },
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
  nodes = [await startNode('one', switchboard.plug()), await startNode('two', switchboard.plug())];
});

afterEach(async () => {
  for (const { http, signalR } of nodes) {
    await signalR.close();
    http.close();
  }
});

describe('a backplane', () => {
  it('reaches clients, groups, users and all on other nodes, each once', async () => {
    const [one, two] = nodes;
    const context = one.signalR.context(PATH);
    for (const { id, signalR } of nodes) for (const room of ['room', 'other room']) signalR.context(PATH).addToGroup(id, room);
    context.client(two.id).send(said, ['client']);
    context.clients([one.id, two.id, two.id, 'one.gone']).send(said, ['clients']);
    context.group('room', [two.id]).send(said, ['not two']);
    context.groups(['room', 'other room'], [one.id]).send(said, ['groups']);
    context.users(['ann', 'bob', 'ann']).send(said, ['users']);
    context.user('ann').sendLatest('news', said, ['latest']);
    context.allExcept([one.id]).send(said, ['except']);
    context.all().send(said, ['all']);
    await eventually('both clients hear everything', () => one.heard.includes('all') && two.heard.includes('all'));
    expect(two.heard).toEqual(['client', 'clients', 'groups', 'users', 'latest', 'except', 'all']);
    expect(one.heard).toEqual(['clients', 'not two', 'users', 'latest', 'all']);
  });

  it('leaves groups and questions to the node of the connection', async () => {
    const [one, two] = nodes;
    const context = one.signalR.context(PATH);
    expect(await two.signalR.context(PATH).client(two.id).invoke(ask, ['Who?'])).toBe('two: Who?');
    await expect(context.client(two.id).invoke(ask, ['Who?'])).rejects.toThrow(`'${two.id}' does not exist`);
    expect(context.connection(two.id)).toBeUndefined();
    context.addToGroup(two.id, 'room');
    context.group('room').send(said, ['nobody']);
    context.client(two.id).send(said, ['end']);
    await eventually('the other client hears the end', () => two.heard.includes('end'));
    expect(two.heard).toEqual(['end']);
  });
});
