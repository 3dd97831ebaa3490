import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { authority, noXServer, XServer } from '../../agent/src/desktop/x-server.fixture.js';
import { newMeeting } from '../hubs/relay-peer.js';
import { eventually } from '../support/eventually.js';
import { ClipboardProgram } from './remote-control/clipboard-program.js';
import { SETTINGS, type DesktopViewer } from './remote-control/desktop-viewer.js';
import { keyEvent, NOBODY_HELD, RemoteControl, sessionPrograms, type Opened } from './remote-control/remote-control.js';
import { press } from './remote-control/prompts.js';
import { noTerminal, Screen } from './remote-control/screen.js';
import { hasVncServer, VncServer, WITHOUT_VNC_SERVER } from './vnc/vnc-server.js';

const CENTRE = { normalizedX: 0.5, normalizedY: 0.5 };
const SHIFT_KEY = 50;
/** The account without rights that every Linux has. */
const NOBODY = 65_534;
/** An agent gives up a silent line within 10 s, and a busy machine takes its time. */
const SILENCE_MS = 30_000;
/** Of the agent's clock. */
const SECOND = 1_000_000_000n;
const LEFT_BUTTON_MASK = 0x100;

const suite = noXServer === undefined ? describe : describe.skip;

suite(`a remote control session${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let control: RemoteControl;

  beforeAll(async () => {
    control = await RemoteControl.start();
  });

  beforeEach(async () => control.begin());
  afterEach(async () => control.end());

  afterAll(async () => {
    await control?.stop();
  });

  it.each([
    ['X11 shared memory', []],
    ['X11 requests', ['-extension', 'MIT-SHM']],
  ])('shows the desktop exactly where it has few colours, and what changes on it: %s', async (mode, options) => {
    await control.desktop('640x480', options);
    await control.x.paint('#3366cc');
    const { client } = await control.open();
    expect(client.of('DisplayData')[0]?.value.displays).toMatchObject([
      { isPrimary: true, index: 0, capturePixelSize: { width: 640, height: 480 }, layoutBounds: { x: 0, y: 0, width: 640, height: 480 } },
    ]);
    expect(client.pixel(320, 240)).toEqual([0x33, 0x66, 0xcc]);
    await control.x.paint('#cc6633');
    await eventually('the new colour has come', () => client.pixel(639, 479).join() === [0xcc, 0x66, 0x33].join());
    expect(await control.isExact(client)).toBe(true);
    expect([...client.formats]).toEqual([1]);
    await eventually('the figures have come', () => client.of('CaptureMetricsChanged').length > 0);
    expect(client.of('CaptureMetricsChanged')[0]?.value).toMatchObject({ captureMode: mode });
  });

  it('shows many colours in lesser quality first, and exactly or nearly so at rest', async () => {
    await control.desktop('640x480');
    await control.screen.paint((column, row) => ((column & 0xff) << 16) + ((row & 0xff) << 8) + ((column * row) & 0xff));
    const { client } = await control.open({ ...SETTINGS, autoQualityMaximum: 10 });
    // The better one may have come by now.
    const [{ value: first }] = client.of('ScreenRegions');
    expect(first.regions.map(({ imageFormat }) => imageFormat)).toEqual([0]);
    const before = first.regions[0].encodedImage.length;
    await eventually('the picture is nearly exact', async () => difference((await control.screen.picture()).rgb, client.picture.rgb) < 4);
    expect(client.regionBytes).toBeGreaterThan(2 * before);
    const { frames } = client;
    await eventually('the figures have come twice', () => client.of('CaptureMetricsChanged').length > 1);
    expect(client.frames).toBe(frames);
  });

  it('sends nothing new while the viewer has not acknowledged enough, and the newest picture then', async () => {
    await control.desktop('1280x1024');
    const { client } = await control.open({ ...SETTINGS, mixedFormats: false, isAutoQualityEnabled: false, manualQuality: 100 });
    client.acknowledges = false;
    const { frames } = client;
    for (let step = 0; step < 20; step += 1) {
      await control.screen.paint((column, row) => Math.imul((column + 1) * (row + 7) + step, 0x9e3779b1) & 0xffffff);
    }
    await control.x.paint('#0000ff');
    expect(client.frames).toBeLessThan(frames + 4);
    client.acknowledgeAll();
    await eventually('the newest picture has come', () => client.pixel(5, 5)[2] > 0xf0 && client.pixel(5, 5)[0] < 0x10);
  });

  it('keeps to the most bytes of a second that the viewer allows, in every second', async () => {
    await control.desktop('640x480');
    const limited = { ...SETTINGS, mixedFormats: false, isMaxBandwidthEnabled: true, maxBandwidthMbps: 4 };
    const { client } = await control.open(limited);
    // The agent sends a first picture without settings when they come late. The one after it is an answer to these.
    await client.keyFrame(() => client.send('UpdateCaptureSettings', limited));
    const begin = client.messages.length;
    for (let step = 0; client.regionBytes < 2_000_000; step += 1) {
      await control.screen.paint((column, row) => Math.imul((column + 1) * (row + 7) + step, 0x9e3779b1) & 0xffffff);
    }
    // The same settings once more make another key frame. One of more than a second's bytes is paid for afterwards.
    const whole = client
      .of('ScreenRegions')
      .filter(({ value }) => value.regions.some(({ width, height }) => width === 640 && height === 480));
    const keyFrames = new Set<unknown>(whole);
    const sent = client.messages.slice(begin).filter((message) => message.name === 'ScreenRegions' && !keyFrames.has(message));
    const most = Math.max(
      ...sent.map(({ sentAt }, index) =>
        sent.slice(index).reduce((sum, each) => (each.sentAt - sentAt < SECOND ? sum + each.size : sum), 0),
      ),
    );
    expect(sent.length).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(500_000);
  });

  it('sends the whole display again when it is asked to, and when its settings change', async () => {
    await control.desktop('640x480');
    const { client } = await control.open({ ...SETTINGS, mixedFormats: false });
    expect([...client.formats]).toEqual([0]);
    expect(await client.keyFrame(() => client.send('RequestKeyFrame', {}))).toMatchObject({ x: 0, y: 0, imageFormat: 0 });
    const asPng = { ...SETTINGS, mixedFormats: false, encodingFormat: 1 } as const;
    await client.keyFrame(() => client.send('UpdateCaptureSettings', asPng), 1);
    const asWebP = { ...SETTINGS, mixedFormats: false, encodingFormat: 2 } as const;
    await client.keyFrame(() => client.send('UpdateCaptureSettings', asWebP), 0);
    await eventually('the figures say why', () =>
      client.of('CaptureMetricsChanged').some(({ value }) => value.extraData['format']?.includes('cannot encode WebP')),
    );
  });

  it.skipIf(noTerminal !== undefined)(
    `types, and shows what was typed${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`,
    async () => {
      await control.desktop('640x480');
      const typed = join(control.folder, 'typed');
      control.programs.push(control.screen.terminal(`stty -echo; touch ${typed}; cat >${typed}`, '-fullscreen'));
      const { client } = await control.open();
      await eventually('the terminal is there', () => existsWith(typed, ''));
      const text = 'Straße 50 € – Привет 漢字 😀 äöü~^`@[]{}|\\"';
      client.send('MovePointer', CENTRE);
      client.send('TypeText', { text: `${text}\n` });
      for (const key of ['A', 'ß', '@', 'x', '€'])
        for (const isPressed of [true, false]) client.send('KeyEvent', keyEvent(key, '', isPressed));
      client.send('KeyEvent', keyEvent('Enter', 'Enter', true));
      client.send('KeyEvent', keyEvent('Enter', 'Enter', false));
      // By position: what the layout of the device has there, whatever the viewer's key is.
      for (const isPressed of [true, false]) client.send('KeyEvent', keyEvent('z', 'KeyY', isPressed, { inputMode: 1 }));
      client.send('KeyEvent', keyEvent('Enter', 'Enter', true));
      client.send('KeyEvent', keyEvent('Enter', 'Enter', false));
      client.send('KeyEvent', keyEvent('Control', 'ControlLeft', true, { modifiers: { ...NOBODY_HELD, control: true } }));
      client.send('KeyEvent', keyEvent('d', 'KeyD', true, { modifiers: { ...NOBODY_HELD, control: true } }));
      await eventually('everything was typed', () => existsWith(typed, `${text}\nAß@x€\ny\n`));
      await eventually('everything is acknowledged', () => client.unacknowledged === 0);
    },
  );

  it('moves the pointer, and holds and releases buttons and keys', async () => {
    await control.desktop('640x480');
    const { client } = await control.open();
    client.send('MouseButtonEvent', { button: 0, isPressed: true, normalizedX: 0.25, normalizedY: 0.5 });
    client.send('KeyEvent', keyEvent('Shift', 'ShiftLeft', true));
    await eventually(
      'button and key are down',
      async () => ((await control.screen.pointer()).keyMask & LEFT_BUTTON_MASK) !== 0 && (await control.screen.keysDown()).length === 1,
    );
    expect(await control.screen.pointer()).toMatchObject({ rootX: 160, rootY: 240 });
    client.send('ResetKeyboardState', {});
    await eventually(
      'nothing is down',
      async () => ((await control.screen.pointer()).keyMask & LEFT_BUTTON_MASK) === 0 && (await control.screen.keysDown()).length === 0,
    );
    for (const normalizedX of [-5, 1e300]) client.send('MouseClick', { button: 99, isDoubleClick: true, normalizedX, normalizedY: 2 });
    client.send('WheelScroll', { ...CENTRE, scrollX: -1e300, scrollY: 1e300 });
    for (let count = 0; count < 10_000; count += 1) client.send('MovePointer', { normalizedX: count / 10_000, normalizedY: 0 });
    await eventually('the last move has come', async () => (await control.screen.pointer()).rootX === 639);
    await eventually('everything is acknowledged', () => client.unacknowledged === 0);
  });

  it('sends the shape of the pointer, with its hot spot', async () => {
    await control.desktop('640x480');
    await control.screen.pointAs(1);
    const { client } = await control.open();
    await eventually('the shape has come', () => client.of('CursorChanged').length > 0);
    const [{ value: first }] = client.of('CursorChanged');
    expect(first).toMatchObject({ cursor: 9, customCursorBase64Png: expect.stringMatching(/^iVBORw0/) as string });
    await control.screen.pointAs(2);
    await eventually('another shape has come', () => client.of('CursorChanged').length > 1);
    const [, { value: second }] = client.of('CursorChanged');
    expect(second.customCursorBase64Png).not.toBe(first.customCursorBase64Png);
    expect([second.xHotspot, second.yHotspot]).toEqual([2, 3]);
    const png = Buffer.from(second.customCursorBase64Png ?? '', 'base64');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([16, 16]);
  });

  it('draws the pointer into the picture of viewers that want it, and of no others', async () => {
    await control.desktop('640x480');
    await control.x.paint('#102030');
    await control.screen.pointAs(2);
    await control.screen.click(100, 100);
    const { client } = await control.open({ ...SETTINGS, captureCursor: true });
    const { client: other } = await control.open();
    const background = [0x10, 0x20, 0x30].join();
    const shows = (viewer: DesktopViewer, x: number, y: number): boolean => viewer.pixel(x, y).join() !== background;
    // It has 16 pixels each way, with its hot spot at 2, 3.
    await eventually('the pointer is drawn', () => shows(client, 98, 97) && shows(client, 113, 112) && !shows(client, 97, 97));
    await control.screen.click(400, 300);
    await eventually('it is drawn elsewhere', () => shows(client, 405, 305) && !shows(client, 105, 105));
    await control.screen.click(639, 479);
    await eventually('a part of it is drawn', () => shows(client, 638, 478) && !shows(client, 405, 305));
    client.send('UpdateCaptureSettings', SETTINGS);
    await eventually('it is gone', () => !shows(client, 638, 478));
    expect([shows(other, 105, 105), shows(other, 405, 305), shows(other, 638, 478)]).toEqual([false, false, false]);
  });

  it('shows one of several displays, and takes the primary one when it has gone', async () => {
    await control.desktop('800x600');
    await control.screen.paint((column) => (column < 500 ? 0xff0000 : 0x0000ff));
    await control.x.run('xrandr', '--setmonitor', '*left', '500/100x600/100+0+0', 'screen');
    await control.x.run('xrandr', '--setmonitor', 'right', '300/100x600/100+500+0', 'none');
    const { client } = await control.open();
    const sizes = (): string[] =>
      (client.of('DisplayData').at(-1)?.value.displays ?? []).map(
        ({ displayId, layoutBounds: b }) => `${displayId} ${b.width}x${b.height}+${b.x}`,
      );
    expect(sizes()).toEqual(['left 500x600+0', 'right 300x600+500']);
    expect([client.picture.width, client.pixel(499, 599)]).toEqual([500, [255, 0, 0]]);
    client.show('right');
    await eventually('the other display is shown', () => client.picture.width === 300 && client.pixel(0, 0)[2] === 255);
    client.send('MovePointer', CENTRE);
    await eventually('the pointer is on it', async () => (await control.screen.pointer()).rootX === 650);
    client.send('ChangeDisplays', { displayId: 'none of them' });
    await eventually('the viewer is told', () => client.of('ToastNotification').length > 0);
    client.forgetPicture();
    await control.x.run('xrandr', '--delmonitor', 'right');
    await eventually('the primary display is shown', () => sizes().join() === 'left 500x600+0' && client.picture.width === 500);
  });

  it.skipIf(!hasVncServer)(`follows a change of mode${hasVncServer ? '' : ` (${WITHOUT_VNC_SERVER})`}`, async () => {
    control.x = await XServer.start('800x600');
    const modes = await VncServer.start({ width: 1024, height: 768 }, control.machine.folder);
    try {
      control.screen = await Screen.connect(`:${modes.display}`);
      const { client } = await control.open(SETTINGS, modes.program.pid);
      expect(client.picture.width).toBe(1024);
      client.forgetPicture();
      spawnSync('xrandr', ['-d', `:${modes.display}`, '-s', '1280x720']);
      await eventually('the new size is shown', () => client.picture.width === 1280 && client.picture.height === 720);
      client.forgetPicture();
      spawnSync('xrandr', ['-d', `:${modes.display}`, '-s', '640x480']);
      await eventually('the small size is shown', () => client.picture.width === 640 && client.picture.height === 480);
      await eventually('it is exact', async () => control.isExact(client));
    } finally {
      for (const peer of control.peers.splice(0)) await peer.stop();
      control.screen.disconnect();
      await modes.kill();
    }
  });

  it.each([
    ['the viewer asks for it', ({ client }: Opened) => client.send('CloseRemoteControlSession', {})],
    ['the viewer closes', ({ peer }: Opened) => peer.socket.close()],
    ['the line is cut', ({ peer }: Opened) => peer.socket.terminate()],
    ['its program is killed', () => process.kill(sessionPrograms()[0], 'SIGKILL')],
    ['its program is ended', () => process.kill(sessionPrograms()[0], 'SIGTERM')],
  ])('releases what is held, and leaves nothing behind, when %s', async (_, act) => {
    await control.desktop('640x480');
    const opened = await control.open();
    opened.client.send('KeyEvent', keyEvent('Shift', 'ShiftLeft', true));
    opened.client.send('MouseButtonEvent', { button: 0, isPressed: true, ...CENTRE });
    await eventually('the key is down', async () => (await control.screen.keysDown()).includes(SHIFT_KEY));
    act(opened);
    await opened.peer.end();
    await eventually('all programs of sessions have ended', () => sessionPrograms().length === 0);
    await eventually(
      'nothing is down',
      async () => (await control.screen.keysDown()).length === 0 && ((await control.screen.pointer()).keyMask & LEFT_BUTTON_MASK) === 0,
    );
    expect(readdirSync('/dev/shm').filter((name) => name.startsWith('node-x11'))).toEqual([]);
  });

  it('ends with a sentence when the X server does', async () => {
    await control.desktop('640x480');
    const { peer, client } = await control.open();
    await control.x.stop();
    await peer.end();
    expect(client.of('RemoteControlSessionError').map(({ value }) => value)).toEqual([
      { message: 'The desktop of the device has ended: its X server is gone.', isFatal: true },
    ]);
  });

  it('shows a screen that a program has locked, and types into it', async () => {
    await control.desktop('640x480');
    await control.x.paint('#102030');
    const locker = await ClipboardProgram.connect(control.x.name);
    try {
      await locker.grabKeys();
      const { client } = await control.open();
      await eventually('the screen is shown', () => client.pixel(10, 10).join() === [0x10, 0x20, 0x30].join());
      client.send('TypeText', { text: 'abc' });
      await eventually('the program has the keys', () => locker.lossesAndKeys.filter((name) => name === 'KeyPress').length >= 3);
    } finally {
      locker.disconnect();
    }
  });

  it.skipIf(process.getuid?.() !== 0)('shows the desktop of another account with the rights of that account', async () => {
    const account = { uid: NOBODY, gid: NOBODY };
    const keys = join(control.folder, 'keys');
    await chmod(control.folder, 0o755);
    await writeFile(keys, authority(Buffer.alloc(16, 7)));
    await chown(keys, NOBODY, NOBODY);
    const x = await XServer.start('320x240', ['-auth', keys], 24, account);
    // A program of the account tells where its keys are.
    const program = spawn('sleep', ['1000'], { ...account, env: { PATH: process.env['PATH'], DISPLAY: x.name, XAUTHORITY: keys } });
    control.programs.push(program);
    control.x = x;
    const opened = await control.open();
    expect(opened.client.picture).toMatchObject({ width: 320, height: 240 });
    const status = readFileSync(`/proc/${sessionPrograms()[0]}/status`, 'utf8');
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]).toBe([NOBODY, NOBODY, NOBODY, NOBODY].join('\t'));
    expect(/^Groups:\s*(.*?)\s*$/m.exec(status)?.[1]).toBe(String(NOBODY));
  });

  it('shows a desktop to two viewers', async () => {
    await control.desktop('640x480');
    const [first, second] = [await control.open(), await control.open()];
    await control.x.paint('#102030');
    await eventually('both see it', () => [first, second].every(({ client }) => client.pixel(10, 10).join() === [0x10, 0x20, 0x30].join()));
  });

  it.each([
    ['yes', 0],
    ['no', 1],
    ['no answer', undefined],
  ])('asks the person at the device where consent is required: %s', async (_, button) => {
    await control.desktop('800x600');
    const meeting = newMeeting();
    const { peer, client } = control.join(meeting);
    expect(await control.request(meeting, control.x.processId, { requireConsent: true })).toMatchObject({ isSuccess: true });
    // Without an answer the agent gives up after half a minute.
    if (button !== undefined) await press(control.screen, button, 2);
    if (button !== 0) {
      await eventually('the session is over', () => sessionPrograms().length === 0);
      // Nobody has come to the viewer at the relay.
      expect(await peer.refusal()).toMatchObject({ status: 408 });
      return;
    }
    await peer.opened();
    client.send('UpdateCaptureSettings', SETTINGS);
    await eventually('the picture has come', () => client.frames > 0);
    // The window that says who watches has one button, which ends the session.
    await press(control.screen, 0, 1);
    await peer.end();
    expect(client.of('SessionDisconnectRequested')).toHaveLength(1);
    expect(client.of('RemoteControlSessionError')).toEqual([]);
  });

  it('is refused with a sentence where the desktop cannot be shown', async () => {
    await control.desktop('640x480');
    expect(await control.request(newMeeting(), process.pid)).toMatchObject({
      isSuccess: false,
      reason: expect.stringContaining('serves no desktop') as string,
    });
    control.screen.disconnect();
    await control.x.stop();
    control.x = await XServer.start('640x480', ['-extension', 'DAMAGE', '-extension', 'XTEST']);
    expect(await control.request(newMeeting(), control.x.processId)).toMatchObject({
      isSuccess: false,
      reason: `The X server of display ${control.x.name} lacks what sessions need: DAMAGE, XTEST.`,
    });
    for (const depth of [8, 30]) {
      await control.x.stop();
      control.x = await XServer.start('640x480', [], depth);
      expect(await control.request(newMeeting(), control.x.processId)).toMatchObject({
        isSuccess: false,
        reason: `Display ${control.x.name} of the device has a colour depth of ${depth} bits. Only displays with 24 bits in the usual order can be shown.`,
      });
    }
  });

  // The last one: the service stands still in it.
  it('ends by itself, and releases what is held, when the line to the service is silent', async () => {
    await control.desktop('640x480');
    const { client } = await control.open();
    client.send('KeyEvent', keyEvent('Shift', 'ShiftLeft', true));
    await eventually('the key is down', async () => (await control.screen.keysDown()).includes(SHIFT_KEY));
    process.kill(control.server.program.pid, 'SIGSTOP');
    try {
      await eventually('the program of the session has ended', () => sessionPrograms().length === 0, SILENCE_MS);
      expect(await control.screen.keysDown()).toEqual([]);
    } finally {
      process.kill(control.server.program.pid, 'SIGCONT');
    }
  });
});

/** The mean difference of two pictures, in steps of a colour. */
function difference(one: Buffer, other: Buffer): number {
  if (one.length !== other.length) return Infinity;
  return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
}

function existsWith(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}
