import { Writable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { encodeMessage, MAX_TEXT_MESSAGE_BYTES } from '#libs/desktop-stream';

import { PieceWriter } from '../pipe/piece-writer.js';
import { HeldRoom } from './held-message.js';
import { MAXIMUM_WAITING } from './message-outlet.js';
import { RemoteControlGates } from './remote-control-gates.js';
import { SessionRights } from './session-rights.js';

/** One side of a session without a network, which counts the frames that are written to it. */
function side(): { readonly writer: PieceWriter; readonly frames: () => number } {
  let frames = 0;
  const socket = new Writable({ write: (_bytes, _encoding, done) => ((frames += 1), done()) });
  return { writer: new PieceWriter(socket), frames: () => frames };
}

describe('a viewer that goes on sending what it may not', () => {
  it('is answered by few messages that wait for the end of one of the agent', () => {
    const [viewer, agent] = [side(), side()];
    const room = new HeldRoom(MAX_TEXT_MESSAGE_BYTES).of('tenant');
    const gates = new RemoteControlGates(viewer, agent, new SessionRights([]), () => undefined, room);
    const picture = Buffer.from(encodeMessage('ToastNotification', { message: 'x'.repeat(100), severity: 0 }, 1n));
    const forbidden = Buffer.from(encodeMessage('ResetKeyboardState', {}, 1n));
    const half = Math.floor(picture.length / 2);

    viewer.writer.begin(picture);
    gates.fromAgent.piece(picture, 0, half, true, false);
    viewer.writer.end();
    for (let sent = 0; sent < 10 * MAXIMUM_WAITING; sent += 1) gates.fromViewer.piece(forbidden, 0, forbidden.length, true, true);
    const before = viewer.frames();
    viewer.writer.begin(picture);
    gates.fromAgent.piece(picture, half, picture.length, false, true);
    viewer.writer.end();

    expect(viewer.frames() - before).toBeGreaterThan(MAXIMUM_WAITING);
    expect(viewer.frames() - before).toBeLessThan(MAXIMUM_WAITING + 10);
    expect(agent.frames()).toBe(0);
  });
});
