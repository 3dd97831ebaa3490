import { agentClient } from '#libs/contracts';
import { type ClientMethodDescriptor, ConnectionGoneError, type HubContext } from '#libs/signalr';

import { deviceFailure } from '../../../devices/device-link/device-failures.js';
import type { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { NotDone, UnknownCall, type NodeMethodHandlers } from '../line/node-calls.js';

/** The calls between nodes about an agent. Arguments and values are in the form of MessagePack. */
export type AgentMethods = {
  /** `[device, connection, method of the agent, its arguments, milliseconds until it has to answer]` → its answer */
  readonly Invoke: { readonly args: [string, string, string, readonly unknown[], number]; readonly answer: unknown };
  /** `[device, connection, method, arguments]`: waits for no answer of the agent */
  readonly Send: { readonly args: [string, string, string, readonly unknown[]]; readonly answer: null };
  /** `[connection, method, arguments]`: also when the device is not reached through that connection any more */
  readonly SendThrough: { readonly args: [string, string, readonly unknown[]]; readonly answer: null };
  /** `[device, connection]`: the device is reached through another connection by now */
  readonly Superseded: { readonly args: [string, string]; readonly answer: null };
};

const ENCODING = 'messagepack';
const METHODS: ReadonlyMap<string, ClientMethodDescriptor> = new Map(Object.values(agentClient).map((method) => [method.name, method]));

/** The arguments of an agent's method as they are carried. */
export function carriedArguments({ parameters }: ClientMethodDescriptor, args: readonly unknown[]): readonly unknown[] {
  return parameters.map((type, index) => type.encode(args[index], ENCODING));
}

/** The answer of an agent's method from its carried form. */
export function answerOf({ returns }: ClientMethodDescriptor, carried: unknown): unknown {
  return returns === undefined || carried === null ? null : returns.decode(carried, ENCODING);
}

/** Serves other nodes' calls of agents that are connected to this one. */
export function agentCallHandlers(
  agents: HubContext,
  presence: DevicePresence,
  directory: { leaveIfMoved(deviceId: string, connectionId: string): Promise<void> },
): NodeMethodHandlers<AgentMethods> {
  const requireReached = (deviceId: unknown, connectionId: string): void => {
    if (typeof deviceId !== 'string' || presence.connectionOf(deviceId) !== connectionId) throw new NotDone();
  };
  const clientOf = (connectionId: unknown): ReturnType<HubContext['client']> => {
    if (typeof connectionId !== 'string' || agents.connection(connectionId) === undefined) throw new NotDone();
    return agents.client(connectionId);
  };
  return {
    async Invoke([deviceId, connectionId, name, carried, timeoutMs], since) {
      const client = clientOf(connectionId);
      requireReached(deviceId, String(connectionId));
      const [method, args] = read(name, carried);
      if (typeof timeoutMs !== 'number') throw new NotDone();
      try {
        const answer = await client.invoke(method, args, { timeoutMs, since });
        return answer === null || answer === undefined ? null : method.returns?.encode(answer, ENCODING);
      } catch (error) {
        if (error instanceof ConnectionGoneError) throw new NotDone();
        throw deviceFailure(error);
      }
    },
    async Send([deviceId, connectionId, name, carried], since) {
      const client = clientOf(connectionId);
      requireReached(deviceId, String(connectionId));
      client.send(...read(name, carried), { since });
      return null;
    },
    async SendThrough([connectionId, name, carried]) {
      clientOf(connectionId).send(...read(name, carried));
      return null;
    },
    // The connection stays open: the next accepted update decides through which one the device is reached. It may have come before this.
    async Superseded([deviceId, connectionId]) {
      await directory.leaveIfMoved(String(deviceId), String(connectionId));
      return null;
    },
  };
}

/** @throws UnknownCall for a method that no agent of this release has; WireTypeError for arguments that do not fit */
function read(name: unknown, carried: unknown): [ClientMethodDescriptor, unknown[]] {
  const method = METHODS.get(String(name));
  if (method === undefined || !Array.isArray(carried)) throw new UnknownCall();
  return [method, method.parameters.map((type, index) => type.decode(carried[index], ENCODING))];
}
