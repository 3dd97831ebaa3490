import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { noXServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { eventually } from '../../support/eventually.js';
import { ClipboardProgram } from './clipboard-program.js';
import { SETTINGS, type DesktopViewer } from './desktop-viewer.js';
import { keyEvent, RemoteControl, sessionPrograms } from './remote-control.js';

const SESSION = '00112233-4455-6677-8899-aabbccddeeff';
const SHORT = 'Straße 50 € – Привет 漢字 😀';
/** 300 KB. */
const LONG = `${SHORT}\n`.repeat(7_000);
const ROUNDS = 30;
const SYNC = { ...SETTINGS, clipboardSync: true };

const suite = noXServer === undefined ? describe : describe.skip;

suite(`the clipboard of a remote control session${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let control: RemoteControl;
  const programs: ClipboardProgram[] = [];

  beforeAll(async () => {
    control = await RemoteControl.start();
  });

  beforeEach(async () => {
    await control.begin();
    await control.desktop('320x240');
  });

  afterEach(async () => {
    for (const each of programs.splice(0)) each.disconnect();
    await control.end();
  });

  afterAll(async () => {
    await control?.stop();
  });

  async function program(): Promise<ClipboardProgram> {
    const connected = await ClipboardProgram.connect(control.x.name);
    programs.push(connected);
    return connected;
  }

  /** Asks for the text, and returns what comes. */
  async function asked(client: DesktopViewer): Promise<string | null> {
    const before = client.of('ClipboardText').length;
    client.send('RequestClipboardText', {});
    await eventually('the text has come', () => client.of('ClipboardText').length > before);
    return client.of('ClipboardText')[before].value.text;
  }

  function told(client: DesktopViewer): readonly string[] {
    return client.of('ToastNotification').map(({ value }) => value.message);
  }

  async function set(client: DesktopViewer, text: string): Promise<void> {
    client.send('ClipboardText', { text, sessionId: SESSION });
    await eventually('the device has dealt with it', () => client.unacknowledged === 0);
  }

  it.each([
    ['a short text at once', SHORT, 'at once'],
    ['a long text at once', LONG, 'at once'],
    ['a long text in pieces', LONG, 'in pieces'],
  ] as const)('answers with what a program has copied: %s', async (_, text, giving) => {
    const copying = await program();
    await copying.copy(text, giving);
    const { client } = await control.open();
    expect(await asked(client)).toBe(text);
  });

  it('takes the form that a program has, and answers with no text where it has none', async () => {
    const copying = await program();
    const { client } = await control.open();
    expect(await asked(client)).toBeNull();
    await copying.own('CLIPBOARD', { 'text/plain;charset=utf-8': Buffer.from(SHORT), STRING: Buffer.from('lesser') });
    expect(await asked(client)).toBe(SHORT);
    await copying.own('CLIPBOARD', { STRING: Buffer.from('größe', 'latin1') });
    expect(await asked(client)).toBe('größe');
    await copying.own('CLIPBOARD', { 'image/png': Buffer.from('no text') });
    expect(await asked(client)).toBeNull();
    expect(told(client)).toEqual([]);
  });

  it.each([
    ['short', SHORT, 1],
    ['long, in pieces', LONG, 5],
  ])('gives programs the text of the viewer: %s', async (_, text, pieces) => {
    const pasting = await program();
    const { client } = await control.open();
    await set(client, text);
    const pasted = await pasting.paste('UTF8_STRING');
    expect(pasted).toMatchObject({ type: 'UTF8_STRING', pieces: expect.toSatisfy((count: number) => count >= pieces) as number });
    expect(pasted?.bytes.toString()).toBe(text);
    expect(await pasting.text('text/plain;charset=utf-8')).toBe(text);
    expect(await pasting.targets()).toEqual(['TARGETS', 'TIMESTAMP', 'MULTIPLE', 'UTF8_STRING', 'text/plain;charset=utf-8']);
    expect(await pasting.paste('STRING')).toBeUndefined();
    expect(await asked(client)).toBe(text);
  });

  it('has the text of the viewer before the keys that follow', async () => {
    const copying = await program();
    await copying.grabKeys();
    const { client } = await control.open();
    // In another order they would meet by chance now and then.
    for (let round = 1; round <= ROUNDS; round += 1) {
      await copying.copy('older');
      client.send('ClipboardText', { text: `${SHORT} ${round}`, sessionId: SESSION });
      client.send('KeyEvent', keyEvent('F5', 'F5', true));
      client.send('KeyEvent', keyEvent('F5', 'F5', false));
      await eventually('the key has arrived', () => copying.lossesAndKeys.filter((name) => name === 'KeyPress').length === round);
      expect(copying.lossesAndKeys.slice(-2)).toEqual(['SelectionClear', 'KeyPress']);
    }
  });

  it('gives Latin-1 to old programs where nothing gets lost, and the last of several texts', async () => {
    const pasting = await program();
    const { client } = await control.open();
    for (const text of ['first', 'second', 'größe']) client.send('ClipboardText', { text, sessionId: SESSION });
    client.send('ClipboardText', { text: null, sessionId: SESSION });
    await eventually('the device has dealt with all', () => client.unacknowledged === 0);
    expect((await pasting.paste('STRING'))?.bytes.toString('latin1')).toBe('größe');
    expect((await pasting.paste('TIMESTAMP'))?.bytes.readUInt32LE(0)).toBeGreaterThan(0);
  });

  it('sends each change to viewers that asked for it, but not what they have sent themselves', async () => {
    const [copying, other] = [await program(), await program()];
    const { client } = await control.open(SYNC);
    const { client: uninterested } = await control.open();
    const texts = (): (string | null)[] => client.of('ClipboardText').map(({ value }) => value.text);
    await copying.copy('one');
    await eventually('the first text has come', () => texts().length === 1);
    await set(client, 'from the viewer');
    // A clipboard manager takes over what was copied.
    await other.copy('from the viewer');
    await other.wasAsked('UTF8_STRING');
    await copying.copy(LONG, 'in pieces');
    await eventually('the last text has come', () => texts().at(-1) === LONG);
    expect(texts()).toEqual(['one', LONG]);
    // Another viewer's text is a change.
    await set(uninterested, 'from the other viewer');
    await eventually('the text of the other viewer has come', () => texts().at(-1) === 'from the other viewer');
    expect(uninterested.of('ClipboardText')).toEqual([]);
    await eventually('the figures say so', () => [client, uninterested].every((each) => each.of('CaptureMetricsChanged').length > 0));
    expect([client, uninterested].map((each) => each.of('CaptureMetricsChanged').at(-1)?.value.extraData['clipboardSync'])).toEqual([
      'on',
      'off',
    ]);
  });

  it.each([
    ['at once', 'at once'],
    ['in pieces', 'in pieces'],
  ] as const)('says that a text of more than 1 MiB is not sent, whole or cut: %s', async (_, giving) => {
    const copying = await program();
    await copying.copy('x'.repeat(1_100_000), giving);
    const { client } = await control.open(SYNC);
    expect(await asked(client)).toBeNull();
    expect(told(client)).toEqual(['The clipboard of the device has more than 1 MiB of text, so none of it was sent.']);
    // As long as can be.
    const most = 'y'.repeat(1024 * 1024 - 256);
    await copying.copy(most, giving);
    await eventually('the longest text has come', () => client.of('ClipboardText').at(-1)?.value.text === most);
  });

  it('says that a program does not answer, and goes on', async () => {
    const [silent, copying] = [await program(), await program()];
    await silent.copy('never given', 'never');
    const { client } = await control.open();
    expect(await asked(client)).toBeNull();
    expect(told(client)).toEqual(['The program that holds the clipboard of the device did not answer.']);
    await copying.copy(SHORT);
    expect(await asked(client)).toBe(SHORT);
  });

  it('leaves the text to the clipboard manager of the desktop when the session ends', async () => {
    const manager = await program();
    await manager.own('CLIPBOARD_MANAGER', { SAVE_TARGETS: Buffer.alloc(0) });
    const { client, peer } = await control.open();
    await set(client, SHORT);
    client.send('CloseRemoteControlSession', {});
    await manager.wasAsked('SAVE_TARGETS');
    await peer.end();
    await eventually('the program of the session has ended', () => sessionPrograms().length === 0);
  });
});
