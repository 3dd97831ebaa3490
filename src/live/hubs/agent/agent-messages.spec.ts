import { beforeEach, describe, expect, it } from 'vitest';

import type { TerminalOutputDto } from '#libs/contracts';
import type { HubConnection } from '#libs/signalr';

import type { DeviceLink } from '../../../devices/device-link/device-link.js';
import type { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import type { ViewerInbox } from '../viewer/viewer-inbox.js';
import { AgentMessages } from './agent-messages.js';
import { ConnectedAgent } from './connected-agent.js';

const MIB = 1_048_576;

/** Unread output that was reported to an inbox, and the end of that call. */
interface Unread {
  readonly output: TerminalOutputDto;
  readonly settle: () => void;
}

describe('terminal output that its viewer does not read', () => {
  const viewer = newGuid();
  let messages: AgentMessages;
  let agent: ConnectedAgent;
  let taken: TerminalOutputDto[];
  let unread: Unread[];

  beforeEach(() => {
    [taken, unread] = [[], []];
    const inbox = {
      output: (_viewer: string, _device: string, output: TerminalOutputDto) => {
        taken.push(output);
        return new Promise<boolean>(() => undefined);
      },
      unread: (_viewer: string, _device: string, output: TerminalOutputDto) =>
        new Promise<void>((settle) => void unread.push({ output, settle })),
    } as unknown as ViewerInbox;
    const presence = { connectionOf: () => agent.connectionId } as unknown as DevicePresence;
    messages = new AgentMessages(inbox, presence, {} as DeviceLink, new Clock());
    agent = agentOf('agent');
  });

  function agentOf(connectionId: string): ConnectedAgent {
    const connected = ConnectedAgent.of({ connectionId, state: undefined } as unknown as HubConnection);
    connected.session = { deviceId: newGuid() } as ConnectedAgent['session'];
    return connected;
  }

  function send(terminalId: string, length: number, to = viewer): Promise<void> {
    return messages.terminalOutput(agent, to, { terminalId, output: 'x'.repeat(length) } as TerminalOutputDto);
  }

  it('is reported once at a time for each terminal, without its text', async () => {
    void send('a', MIB - 1_024);
    void send('b', MIB - 1_024);
    const late = [send('a', MIB), send('a', 10), send('b', 10), send('b', 10)];
    expect(unread.map(({ output: { terminalId, output } }) => [terminalId, output.length])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    for (const { settle } of unread) settle();
    await Promise.all(late);
    void send('a', 10);
    expect(unread).toHaveLength(3);
  });

  it('is reported for few terminals of an agent at once', () => {
    for (let number = 0; number < 8; number += 1) void send(`full ${number}`, MIB - 1_024);
    expect(taken).toHaveLength(8);
    for (let number = 0; number < 100; number += 1) void send(`invented ${number}`, 10);
    expect(unread).toHaveLength(16);
  });

  it('waits up to a limit for all viewers of an agent together', () => {
    for (let number = 0; number < 40; number += 1) void send(`terminal ${number}`, MIB - 1_024, newGuid());
    expect([taken.length, unread.length]).toEqual([16, 16]);
    agent = agentOf('another agent');
    void send('terminal', MIB - 1_024);
    expect(taken).toHaveLength(17);
  });

  it('waits up to a limit for all agents together, above which each has that of one terminal', () => {
    const sent = (terminals: number): number => {
      const before = taken.length;
      for (let number = 0; number < terminals; number += 1) void send(`terminal ${number}`, MIB - 1_024, newGuid());
      return taken.length - before;
    };
    const counts = Array.from({ length: 20 }, (_, number) => {
      agent = agentOf(`agent ${number}`);
      return sent(20);
    });
    expect(counts).toEqual([...Array.from({ length: 16 }, () => 16), 1, 1, 1, 1]);
  });
});
