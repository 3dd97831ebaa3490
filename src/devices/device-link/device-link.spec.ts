import { afterEach, describe, expect, it, vi } from 'vitest';

import { agentClient } from '#libs/contracts';

import type { OtherNodes } from './agent-place.js';
import { CallTooLate, MAXIMUM_AGE_MS } from './call-age.js';
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

describe('a call of a device that is connected here', () => {
  afterEach(() => void vi.useRealTimers());

  /** Reaches a device for a call of `age` milliseconds, calls it after so many more, and returns the age that its connection was told. */
  async function callAfter(age: number, milliseconds: number): Promise<number | undefined> {
    vi.useFakeTimers({ toFake: ['performance'] });
    let told: number | undefined;
    const agents = {
      client: () => ({ send: (_method: unknown, _args: unknown, { since }: { since: number }) => void (told = performance.now() - since) }),
    } as never;
    const presence = new DevicePresence();
    presence.online('device', 'connection', 'key');
    const unused = {} as never;
    const device = await new DeviceLink(agents, presence, unused, unused, unused, unused).reach('device', performance.now() - age);
    vi.advanceTimersByTime(milliseconds);
    await device.send(agentClient.RefreshDeviceInfo);
    return told;
  }

  it('tells the connection for how long it has waited', async () => {
    expect(await callAfter(1_000, MAXIMUM_AGE_MS - 1_000)).toBe(MAXIMUM_AGE_MS);
  });

  it('is refused when it has waited for too long', async () => {
    await expect(callAfter(1_000, MAXIMUM_AGE_MS - 999)).rejects.toBeInstanceOf(CallTooLate);
  });
});
