import { describe, expect, it } from 'vitest';

import type { HubConnection, HubContext } from '#libs/signalr';

import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { Transfers } from '../../../devices/device-link/transfers.js';
import { ConnectedAgent } from '../../hubs/agent/connected-agent.js';
import { MovableAgents } from './movable-agents.js';

/** A connection of an agent that notes how it was closed. */
function connectionOf(connectionId: string): HubConnection & { readonly closed: unknown[] } {
  const closed: unknown[] = [];
  const connection = { connectionId, closed, state: undefined, close: (options: unknown) => closed.push(options) };
  return connection as unknown as HubConnection & { readonly closed: unknown[] };
}

describe('movable agents', () => {
  function agents(count: number) {
    const connections = Array.from({ length: count }, (_, index) => connectionOf(`connection ${index}`));
    const presence = new DevicePresence();
    const transfers = new Transfers();
    for (const [index, { connectionId }] of connections.entries()) presence.online(`device ${index}`, connectionId, '');
    const hub = { connection: (id: string) => connections.find(({ connectionId }) => connectionId === id) };
    return { connections, presence, transfers, movable: new MovableAgents(presence, transfers, hub as unknown as HubContext) };
  }

  it('are picked once each, in random order, and may come back', () => {
    const { connections, movable } = agents(50);
    const picked = [...movable.some(50)].map((letGo) => letGo());
    expect(picked).toEqual(Array.from({ length: 50 }, () => true));
    for (const { closed } of connections) expect(closed).toEqual([{ allowReconnect: true }]);
  });

  it('are no more than asked for', () => {
    const { connections, movable } = agents(50);
    for (const letGo of movable.some(20)) letGo();
    const picked = connections.flatMap(({ closed }, index) => (closed.length > 0 ? [index] : []));
    expect(picked).toHaveLength(20);
    expect(picked).not.toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('are none that a transfer or a terminal needs, or that have gone', () => {
    const { connections, presence, transfers, movable } = agents(3);
    transfers.begin('connection 0');
    ConnectedAgent.of(connections[1]).orphanedTerminals.delivered('terminal');
    const [...picked] = movable.some(3);
    presence.offline('device 2', 'connection 2');
    expect(picked.map((letGo) => letGo())).toEqual([false, false, false]);
    for (const { closed } of connections) expect(closed).toEqual([]);
  });
});
