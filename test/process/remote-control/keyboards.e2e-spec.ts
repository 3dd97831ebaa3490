import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { KeyEvent } from '#libs/desktop-stream';

import { noXServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { eventually } from '../../support/eventually.js';
import type { DesktopViewer } from './desktop-viewer.js';
import { keyEvent, NOBODY_HELD, RemoteControl } from './remote-control.js';
import { noTerminal } from './screen.js';

/** A key press as a browser tells it: `key`, `code`, and the modifiers that are down. A text is one that a dead key has led to. */
type Press = readonly [key: string, code: string, held?: Partial<KeyEvent['modifiers']>] | string;

const WINDOWS_ALT_GR = { control: true, alt: true };
const TEXT = '@€~\\ßé^';

/** The presses that type the text in browsers, by keyboard and system of the viewer. */
const BROWSERS: readonly (readonly [name: string, presses: readonly Press[]])[] = [
  ['a German one on Linux', [['@', 'KeyQ'], ['€', 'KeyE'], ['~', 'BracketRight'], ['\\', 'Minus'], ['ß', 'Minus'], 'é', '^']],
  [
    'a German one on Windows',
    [
      ['@', 'KeyQ', WINDOWS_ALT_GR],
      ['€', 'KeyE', WINDOWS_ALT_GR],
      ['~', 'BracketRight', WINDOWS_ALT_GR],
      ['\\', 'Minus', WINDOWS_ALT_GR],
      ['ß', 'Minus'],
      'é',
      '^',
    ],
  ],
  ['a French one', [['@', 'Digit0'], ['€', 'KeyE'], '~', ['\\', 'Digit8'], 'ß', ['é', 'Digit2'], ['^', 'Digit9']]],
  [
    'a US one',
    [
      ['@', 'Digit2', { shift: true }],
      '€',
      ['~', 'Backquote', { shift: true }],
      ['\\', 'Backslash'],
      'ß',
      'é',
      ['^', 'Digit6', { shift: true }],
    ],
  ],
];
const LAYOUTS = ['us', 'de', 'fr'];

const lacking = noXServer ?? noTerminal;
const suite = lacking === undefined ? describe : describe.skip;

suite(`keyboards of viewers${lacking === undefined ? '' : ` (skipped: ${lacking})`}`, () => {
  let control: RemoteControl;

  beforeAll(async () => {
    control = await RemoteControl.start();
  });

  beforeEach(async () => control.begin());
  afterEach(async () => control.end());

  afterAll(async () => {
    await control?.stop();
  });

  it.each(LAYOUTS)('type the same on a desktop with the layout %s', async (layout) => {
    await control.desktop('640x480');
    await control.x.run('setxkbmap', '-layout', layout);
    const typed = join(control.folder, 'typed');
    control.programs.push(control.screen.terminal(`stty -echo; touch ${typed}; cat >${typed}`, '-fullscreen'));
    const { client } = await control.open();
    client.send('MovePointer', { normalizedX: 0.5, normalizedY: 0.5 });
    await eventually('the terminal is there', () => read(typed) === '');
    let expected = '';
    for (const [, presses] of BROWSERS) {
      for (const each of presses) strike(client, each);
      strike(client, ['Enter', 'Enter']);
      expected += `${TEXT}\n`;
      await eventually('everything is acknowledged', () => client.unacknowledged === 0);
    }
    await eventually('a line of each keyboard has come', () => (read(typed) ?? '').split('\n').length > BROWSERS.length);
    expect(read(typed)).toBe(expected);
    expect(await control.screen.keysDown()).toEqual([]);
  });

  it('type what the layout has at a place where the viewer sends places', async () => {
    await control.desktop('640x480');
    await control.x.run('setxkbmap', '-layout', 'de');
    const typed = join(control.folder, 'typed');
    control.programs.push(control.screen.terminal(`stty -echo; touch ${typed}; cat >${typed}`, '-fullscreen'));
    const { client } = await control.open();
    client.send('MovePointer', { normalizedX: 0.5, normalizedY: 0.5 });
    await eventually('the terminal is there', () => read(typed) === '');
    const physical = { inputMode: 1 } as const;
    const places = [
      ['y', 'KeyY', true],
      ['y', 'KeyY', false],
      ['AltGraph', 'AltRight', true],
      ['q', 'KeyQ', true],
      ['q', 'KeyQ', false],
      ['AltGraph', 'AltRight', false],
      // A dead key, and the letter that it changes.
      ['Dead', 'Equal', true],
      ['Dead', 'Equal', false],
      ['e', 'KeyE', true],
      ['e', 'KeyE', false],
      ['Enter', 'Enter', true],
      ['Enter', 'Enter', false],
    ] as const;
    for (const [key, code, isPressed] of places) client.send('KeyEvent', keyEvent(key, code, isPressed, physical));
    await eventually('the line has come', () => read(typed)?.endsWith('\n') === true);
    expect(read(typed)).toBe('z@é\n');
  });
});

/** Presses and releases a key, with the modifiers around it as their own keys. */
function strike(client: DesktopViewer, press: Press): void {
  if (typeof press === 'string') {
    client.send('TypeText', { text: press });
    return;
  }
  const [key, code, held = {}] = press;
  const modifiers = { ...NOBODY_HELD, ...held };
  const around = [
    ...(modifiers.control ? [['Control', 'ControlLeft']] : []),
    ...(modifiers.shift ? [['Shift', 'ShiftLeft']] : []),
    ...(modifiers.alt ? [['Alt', 'AltLeft']] : []),
  ];
  for (const [name, place] of around) client.send('KeyEvent', keyEvent(name, place, true, { modifiers }));
  client.send('KeyEvent', keyEvent(key, code, true, { modifiers }));
  client.send('KeyEvent', keyEvent(key, code, false, { modifiers }));
  for (const [name, place] of around.toReversed()) client.send('KeyEvent', keyEvent(name, place, false));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
