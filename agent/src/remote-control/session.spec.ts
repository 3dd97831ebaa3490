import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { decodeMessage, encodeMessage, type Message, type UnknownMessage } from '#libs/desktop-stream';
import { noXServer, XServer } from '../desktop/x-server.fixture.js';
import { PngThread } from './picture/png-thread.js';
import { USUAL_SETTINGS } from './picture/quality.js';
import { RelayConnection } from './relay-connection.js';
import { Session } from './session.js';
import { openXDesktop } from './x11/x-desktop.js';

const LONGEST_WAIT_MS = 300;
/** Each is a picture of the whole display. */
const PICTURES = 40;

const suite = noXServer === undefined ? describe : describe.skip;

suite(`a session${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  const stops: (() => unknown)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it('ends with a sentence when its viewer acknowledges nothing', async () => {
    const x = await XServer.start('1280x720');
    const viewers = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    stops.push(
      () => x.stop(),
      () => viewers.close(),
    );
    await once(viewers, 'listening');
    const connected = once(viewers, 'connection') as Promise<[WebSocket]>;
    const relay = await RelayConnection.dial(`ws://127.0.0.1:${(viewers.address() as AddressInfo).port}`, LONGEST_WAIT_MS);
    const [viewer] = await connected;
    const messages: (Message | UnknownMessage)[] = [];
    viewer.on('message', (bytes: Buffer) => messages.push(decodeMessage(new Uint8Array(bytes))));
    const log: string[] = [];
    const png = await PngThread.start();
    const desktop = await openXDesktop(x.name, (line) => log.push(line));
    const session = new Session('00112233-4455-6677-8899-aabbccddeeff', desktop, relay, png, (line) => log.push(line));
    const over = session.run();
    const asPictures = { ...USUAL_SETTINGS, isAutoQualityEnabled: false, manualQuality: 100 };
    viewer.send(encodeMessage('UpdateCaptureSettings', asPictures, 1n));
    const begin = messages.length;
    for (let asked = 0; asked < PICTURES && viewer.readyState === viewer.OPEN; asked += 1) {
      const pictures = messages.filter(({ name }) => name === 'ScreenRegions').length;
      viewer.send(encodeMessage('RequestKeyFrame', {}, 1n));
      await Promise.race([
        over,
        new Promise<void>((resolve) => {
          viewer.on('message', () => {
            if (messages.filter(({ name }) => name === 'ScreenRegions').length > pictures) resolve();
          });
        }),
      ]);
    }
    await over;
    expect(messages.length).toBeGreaterThan(begin);
    expect(messages.flatMap((message) => (message.name === 'RemoteControlSessionError' ? message.value : []))).toEqual([
      { message: 'The viewer has not acknowledged anything for 30 seconds.', isFatal: true },
    ]);
  });
});
