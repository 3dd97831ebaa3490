import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { decodeMessage, encodeMessage, type Message, type UnknownMessage } from '#libs/desktop-stream';
import { noXServer, XServer } from '../desktop/x-server.fixture.js';
import type { Desktop } from './platform.js';
import { PngThread } from './picture/png-thread.js';
import { USUAL_SETTINGS } from './picture/quality.js';
import { RelayConnection } from './relay-connection.js';
import { Session } from './session.js';
import { openXDesktop } from './x11/x-desktop.js';

/** Options with which Node.js runs a thread without a build. */
const TYPESCRIPT = ['--import', fileURLToPath(new URL('../../../test/support/processes/run-typescript.mjs', import.meta.url))];
const LONGEST_WAIT_MS = 300;
/** Each is a picture of the whole display. */
const PICTURES = 40;

const suite = noXServer === undefined ? describe : describe.skip;

suite(`a session${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  const stops: (() => unknown)[] = [];
  /** One for all, because the package remembers the numbers of names for all connections of a process. */
  let x: XServer;

  beforeAll(async () => {
    x = await XServer.start('1280x720');
  });

  afterAll(async () => x.stop());

  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  interface Scene {
    readonly desktop: Desktop;
    readonly viewer: WebSocket;
    readonly messages: (Message | UnknownMessage)[];
    readonly session: Session;
  }

  async function open(longestWaitMs?: number): Promise<Scene> {
    const viewers = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    stops.push(() => viewers.close());
    await once(viewers, 'listening');
    const connected = once(viewers, 'connection') as Promise<[WebSocket]>;
    const relay = await RelayConnection.dial(`ws://127.0.0.1:${(viewers.address() as AddressInfo).port}`, longestWaitMs);
    const [viewer] = await connected;
    const messages: (Message | UnknownMessage)[] = [];
    viewer.on('message', (bytes: Buffer) => messages.push(decodeMessage(new Uint8Array(bytes))));
    const png = await PngThread.start(TYPESCRIPT);
    stops.push(async () => png.stop());
    const desktop = await openXDesktop(x.name, () => undefined);
    const session = new Session('00112233-4455-6677-8899-aabbccddeeff', desktop, relay, png, () => undefined);
    return { desktop, viewer, messages, session };
  }

  /** Stops the process of the X server, as a fault of a driver does, until the end of the test. */
  function freeze(): void {
    process.kill(x.processId, 'SIGSTOP');
    stops.push(() => process.kill(x.processId, 'SIGCONT'));
  }

  const errors = (messages: readonly (Message | UnknownMessage)[]): unknown[] =>
    messages.flatMap((message) => (message.name === 'RemoteControlSessionError' ? message.value : []));

  it('ends with a sentence when its viewer acknowledges nothing', async () => {
    const { viewer, messages, session } = await open(LONGEST_WAIT_MS);
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
    expect(errors(messages)).toEqual([{ message: 'The viewer has not acknowledged anything for 30 seconds.', isFatal: true }]);
  });

  it('that is ended before it runs tells its viewer, and does not run', async () => {
    const { viewer, messages, session } = await open();
    const closed = once(viewer, 'close');
    session.end('The agent of the device has ended the session.');
    await session.run();
    await closed;
    expect(errors(messages)).toEqual([{ message: 'The agent of the device has ended the session.', isFatal: true }]);
  });

  it.each([
    ['is to show its first picture', async () => undefined],
    ['holds a text of the viewer', async ({ clipboard }: Desktop) => clipboard.write('a text')],
  ])('ends with its viewer when the X server is stuck and the session %s', async (_, prepare) => {
    const { desktop, viewer, session } = await open();
    await prepare(desktop);
    freeze();
    const over = session.run({ sentence: 'Anna sees this desktop and can control it.', place: 0 });
    viewer.close(1000);
    await over;
  });
});
