import { expect } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import type { TestApp } from '../support/application/app.js';
import type { FakeAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { read, write, type WireMessage } from './desktop-stream-messages.js';
import { newMeeting, RelayPeer, relayUri, type Meeting } from './relay-peer.js';
import { TestViewer, type Caller } from './viewer-client.js';

/** One side of a session: sends bytes, and reads what arrives. */
export class Side {
  private seen = 0;

  constructor(readonly peer: RelayPeer) {}

  send(...messages: readonly Uint8Array[]): void {
    for (const message of messages) this.peer.socket.send(message);
  }

  /** Sends one message in frames of so many bytes. */
  sendInPieces(message: Uint8Array, size: number): void {
    for (let start = 0; start < message.length; start += size) {
      this.peer.socket.send(message.subarray(start, start + size), { fin: start + size >= message.length });
    }
  }

  /** Waits for the message that is chosen, and returns those that have come before it since the last call. */
  async until(isLast: (message: WireMessage) => boolean): Promise<WireMessage[]> {
    const from = this.seen;
    const place = (): number => this.peer.messages.findIndex((bytes, index) => index >= from && bytes.length > 0 && isLast(read(bytes)));
    await eventually('the message has arrived', () => place() >= 0);
    this.seen = place() + 1;
    return this.peer.messages
      .slice(from, this.seen - 1)
      .filter(({ length }) => length > 0)
      .map(read);
  }
}

/** A remote control session whose two sides are connected. */
export interface RemoteControlSession {
  readonly sessionId: string;
  readonly caller: Caller;
  readonly viewer: Side;
  readonly desktop: Side;
}

interface Asked {
  readonly requireConsent?: boolean;
}

/** Remote control sessions with a device whose agent joins each one at the relay. */
export class RemoteControl {
  constructor(
    private readonly server: TestApp,
    private readonly agent: FakeAgent,
    private readonly keep: <T extends { stop(): Promise<void> }>(stoppable: T) => T,
  ) {}

  requestOf(meeting: Meeting, { requireConsent = false }: Asked = {}) {
    return {
      sessionId: meeting.sessionId,
      websocketUri: relayUri(this.server, meeting, 'responder'),
      targetSystemSession: 1,
      targetProcessId: 1,
      deviceId: this.agent.device.id,
      notifyUserOnSessionStart: false,
      requireConsent,
      viewerConnectionId: null,
      viewerName: null,
    };
  }

  async begin(caller: Caller, asked: Asked = {}): Promise<RemoteControlSession> {
    const { server, keep } = this;
    const devices: RelayPeer[] = [];
    this.agent.on(agentClient.CreateRemoteControlSession, ({ websocketUri }) => {
      devices.push(keep(new RelayPeer(websocketUri)));
      return hubOk();
    });
    const meeting = newMeeting();
    const hub = keep(await TestViewer.connect(server, caller.headers));
    const answer = await hub.call(viewerHub.RequestRemoteControlSession2, this.requestOf(meeting, asked));
    expect(answer).toMatchObject({ isSuccess: true });
    const peer = await keep(new RelayPeer(relayUri(server, meeting, 'requester'), caller.headers)).opened();
    const desktop = new Side(await devices[0].opened());
    return { sessionId: meeting.sessionId, caller, viewer: new Side(peer), desktop };
  }
}

/** A message of a viewer that always passes, and is the only one with its time. */
export const marker = (time: bigint): Buffer => write(41, {}, time);
export const isMarker =
  (time: bigint) =>
  (message: WireMessage): boolean =>
    message.type === 41 && message.time === time;
/** A message of an agent that always passes. */
export const news = (time: bigint): Buffer => write(23, { Displays: [] }, time);
export const isNews =
  (time: bigint) =>
  (message: WireMessage): boolean =>
    message.type === 23 && message.time === time;
