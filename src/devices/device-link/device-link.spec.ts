import { expect, it } from 'vitest';

import { agentClient } from '#libs/contracts';

import type { OtherNodes } from './agent-place.js';
import { DeviceLink } from './device-link.js';
import { DevicePresence } from './device-presence.js';

it('sends through the former place when the place of a device cannot be read', async () => {
  const sent: string[] = [];
  const others = { find: () => Promise.reject(new Error('The database is away.')) } as Partial<OtherNodes> as OtherNodes;
  const told = new Promise<void>((resolve) => {
    const agents = {
      client: (connectionId: string) => ({
        send: () => {
          sent.push(connectionId);
          resolve();
        },
      }),
    } as never;
    const unused = {} as never;
    const link = new DeviceLink(agents, new DevicePresence(), unused, unused, unused, unused, others);
    link.sendLatest('device', { nodeId: null, connectionId: 'former' }, agentClient.CloseTerminalSession, 'terminal');
  });
  await told;
  expect(sent).toEqual(['former']);
});
