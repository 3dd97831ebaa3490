import {
  type Backplane,
  CarriedCall,
  type ClientAnswer,
  ClientResultError,
  ClientResultTimeoutError,
  ConnectionGoneError,
  DisconnectedError,
  type HubNode,
  type OutgoingCall,
} from '../../src/index.js';

/** A call as it would go over a network. */
interface Letter {
  readonly name: string;
  readonly json?: readonly unknown[];
  readonly messagepack?: readonly unknown[];
}

/** Connects the servers of one process. Each message from one to another is a copy, and arrives in a later turn of the event loop. */
export class MemoryBackplane {
  /** By path and id of the node. */
  readonly #hubs = new Map<string, Map<string, HubNode>>();

  /** The backplane of one node. */
  of(nodeId: string): Backplane {
    return {
      join: (path, local) => {
        const hub = this.#hubs.get(path) ?? new Map<string, HubNode>();
        this.#hubs.set(path, hub.set(nodeId, local));
        return {
          push(target, call, options) {
            for (const node of hub.values()) {
              if (node === local) node.push(target, call, options);
              else void arrive(call).then((carried) => node.push(structuredClone(target), carried, structuredClone(options)));
            }
          },
          async invoke(connectionId, call, { timeoutMs, signal }) {
            const node = nodeOf(hub, connectionId);
            if (node === undefined) throw new ConnectionGoneError(connectionId);
            const carried = await arrive(call);
            return node.invoke(connectionId, carried, { timeoutMs, signal }).then(
              (answer: ClientAnswer) => structuredClone(answer),
              (error: unknown) => Promise.reject(copyOf(error, connectionId, call.name)),
            );
          },
          async addToGroup(connectionId, group) {
            await turn();
            await nodeOf(hub, connectionId)?.addToGroup(connectionId, group);
          },
          async removeFromGroup(connectionId, group) {
            await turn();
            await nodeOf(hub, connectionId)?.removeFromGroup(connectionId, group);
          },
        };
      },
    };
  }
}

/** The node whose id a connection id begins with. */
function nodeOf(hub: ReadonlyMap<string, HubNode>, connectionId: string): HubNode | undefined {
  return hub.get(connectionId.slice(0, connectionId.indexOf('.')));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A call as it arrives at another node. */
async function arrive(call: OutgoingCall): Promise<OutgoingCall> {
  const letter: Letter = structuredClone({
    name: call.name,
    json: argumentsIn(call, 'json'),
    messagepack: argumentsIn(call, 'messagepack'),
  });
  await turn();
  return new CarriedCall(letter.name, letter);
}

/** Undefined when an argument has no form in the encoding. */
function argumentsIn(call: OutgoingCall, encoding: 'json' | 'messagepack'): readonly unknown[] | undefined {
  try {
    return call.encode(encoding);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** An error of the same kind with the same text, as the other side would make it. */
function copyOf(error: unknown, connectionId: string, method: string): Error {
  if (error instanceof ConnectionGoneError) return new ConnectionGoneError(connectionId);
  if (error instanceof DisconnectedError) return new DisconnectedError(error.message.replace(/^The connection ended: /, ''));
  if (error instanceof ClientResultTimeoutError) return new ClientResultTimeoutError(method, Number(/\d+(?= ms)/.exec(error.message)));
  if (error instanceof ClientResultError) return new ClientResultError(error.message);
  return new Error(String(error));
}
