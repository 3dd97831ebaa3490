import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { agentClient } from '#libs/contracts';

import type { ServerNode } from '../../../platform/node/server-node.js';
import { NodeUnreachable, NotDone } from '../line/node-calls.js';
import type { ServiceLine } from '../service-line.js';
import type { DeviceDirectory } from './device-directory.js';
import { RemoteAgents } from './remote-agents.js';

const PLACE = { nodeId: 'node', connectionId: 'node.1' };

describe('agents at other nodes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Calls an agent whose node says after so many milliseconds that it has not begun. Returns the number of calls, and their outcome. */
  async function callAnsweredAfter(milliseconds: number, waited = 0): Promise<{ readonly calls: number; readonly outcome: unknown }> {
    let calls = 0;
    const call = (): Promise<never> => {
      calls += 1;
      return new Promise((_resolve, reject) => setTimeout(() => reject(new NotDone()), milliseconds));
    };
    const directory = { find: () => Promise.resolve(PLACE), forget: () => undefined };
    const agents = new RemoteAgents(
      directory as unknown as DeviceDirectory,
      { calls: { call } } as unknown as ServiceLine,
      { id: 'own' } as unknown as ServerNode,
    );
    const outcome = Promise.resolve(
      agents.channel('device', PLACE).send(agentClient.RefreshDeviceInfo, [], { since: performance.now() - waited }),
    ).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    return { calls, outcome: await outcome };
  }

  it('are called once more when the call was not begun', async () => {
    expect((await callAnsweredAfter(100)).calls).toBe(2);
  });

  it('are not called once more when the call is too old by then', async () => {
    const { calls, outcome } = await callAnsweredAfter(5_200);
    expect([calls, outcome]).toEqual([1, expect.any(NodeUnreachable)]);
  });

  it('are not called once more when the call had waited before', async () => {
    const { calls, outcome } = await callAnsweredAfter(2_600, 2_600);
    expect([calls, outcome]).toEqual([1, expect.any(NodeUnreachable)]);
  });
});
