import { Writable } from 'node:stream';

import { encodeMessage } from '#libs/desktop-stream';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { PieceWriter } from '../../src/live/relay/pipe/piece-writer.js';
import type { PieceSink } from '../../src/live/relay/pipe/relay-socket.js';
import { HeldRoom } from '../../src/live/relay/remote-control/held-message.js';
import { MessageOutlet } from '../../src/live/relay/remote-control/message-outlet.js';
import { SessionRights } from '../../src/live/relay/remote-control/session-rights.js';
import { ViewerGate } from '../../src/live/relay/remote-control/viewer-gate.js';
import { inTurns, median } from '../harness/rounds.js';
import type { DesktopBench } from './desktop-bench.js';

const ROUNDS = 15;
const CHUNKS = 2_000;
const MESSAGES_OF_A_CHUNK = 100;
/** Room for the header that a frame of a client has before its payload. */
const HEADER = 8;
const NS_PER_US = 1_000;

/** R7: the cost of reading a message of a viewer at the relay, against passing it on unread. */
export const enforcement: DesktopBench = {
  title: 'enforcement at the relay (R7)',
  needs: [],
  measure: async () => {
    const rounds = await inTurns(ROUNDS, { unread: async () => passing(false), read: async () => passing(true) });
    const [unread, read] = [rounds.unread, rounds.read].map(median);
    const finding = {
      goal: 'R7',
      what: 'reading a message of a viewer at the relay, beyond passing it on',
      baseline: `${unread.toFixed(3)} µs unread`,
      measured: `${read.toFixed(3)} µs`,
      value: read - unread,
      unit: 'µs',
      better: 'lower',
      floor: 1,
      aim: 0.3,
      notes: [],
    } as const;
    return { findings: [finding] };
  },
};

/** Passes pointer moves on, and returns the microseconds of one. */
function passing(isRead: boolean): number {
  const writer = new PieceWriter(new Writable({ highWaterMark: 2 ** 30, write: (_bytes, _encoding, done) => done() }));
  const unread: PieceSink = { piece: (_bytes, start, end, isFirst, isLast) => writer.piece(start, end, isFirst, isLast) };
  const sink = isRead ? gateBefore(writer) : unread;
  const message = Buffer.from(encodeMessage('MovePointer', { normalizedX: 0.25, normalizedY: 0.5 }, 1n));
  const size = HEADER + message.length;
  const chunk = Buffer.alloc(size * MESSAGES_OF_A_CHUNK);
  const begun = process.hrtime.bigint();
  for (let count = 0; count < CHUNKS; count += 1) {
    for (let at = HEADER; at < chunk.length; at += size) message.copy(chunk, at);
    writer.begin(chunk);
    for (let at = HEADER; at < chunk.length; at += size) sink.piece(chunk, at, at + message.length, true, true);
    writer.end();
  }
  return Number(process.hrtime.bigint() - begun) / NS_PER_US / CHUNKS / MESSAGES_OF_A_CHUNK;
}

function gateBefore(writer: PieceWriter): ViewerGate {
  const events = { takes: () => false, passed: () => undefined, dropped: () => undefined };
  const rights = new SessionRights([Permission.DeviceRemoteControlInteract]);
  return new ViewerGate(new MessageOutlet(writer), rights, events, new HeldRoom(0).of('tenant'));
}
