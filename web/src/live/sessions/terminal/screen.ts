import '@xterm/xterm/css/xterm.css';

import { FitAddon } from '@xterm/addon-fit';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IBufferRange, Terminal } from '@xterm/xterm';

import { TERMINAL } from '../../../keyboard/shortcuts.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { isPressed } from '../../../ui/kbd/keys.js';
import { isMac, shortcutOf } from '../../../ui/kbd/shortcuts.js';
import { documentForXterm, withConstructedStyles } from '../../../ui/xterm-styles.js';
import { COLOURS } from './colours.js';
import { currentGround, onGround } from './ground.js';
import { PacedOutput } from './paced-output.js';
import { t } from './texts.js';
import { hasFastWebGl } from './webgl.js';

const SCROLLBACK = 10_000;
const FONT_KEY = 'terminal-font-size';
const FONT = { usual: 13, least: 8, most: 28 } as const;

/** Callbacks of a screen's owner. */
export interface ScreenEvents {
  readonly onData: (data: string) => void;
  readonly onResize: (columns: number, rows: number) => void;
  /** A link was clicked whose text is not its target. */
  readonly onLink: (target: string, text: string) => void;
  /** Several lines are about to be pasted. */
  readonly onPasteLines: (text: string) => void;
  /** The user wants to leave the terminal by the keyboard. */
  readonly onLeave: () => void;
  readonly onFind: () => void;
}

/** The picture of a terminal and its keyboard: xterm with its parts, in an element that can be moved. */
export class Screen {
  readonly host = document.createElement('div');
  readonly terminal: Terminal;
  private readonly fitting = new FitAddon();
  // The gap may begin in the middle of a sequence, which its first character cancels.
  private readonly output = new PacedOutput((text, hasRead) => this.terminal.write(text, hasRead), `\x18${noticeOf(t('left-out'))}`);
  private readonly observer = new ResizeObserver(() => this.fit());
  private readonly stopGround = onGround(() => this.takeGround());
  private isOpen = false;
  private isDisposed = false;

  constructor(private readonly events: ScreenEvents) {
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      documentOverride: documentForXterm(),
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
      fontSize: storedFontSize(),
      linkHandler: { activate: (_event, target, range) => this.follow(target, this.textIn(range)) },
      macOptionIsMeta: true,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK,
      theme: COLOURS[currentGround()],
    });
    this.host.style.blockSize = '100%';
    this.host.dataset.ownKeys = '';
    this.terminal.onData(events.onData);
    // Reports of the mouse in its older form are bytes, not text.
    this.terminal.onBinary(events.onData);
    this.terminal.onResize(({ cols, rows }) => events.onResize(cols, rows));
    this.terminal.attachCustomKeyEventHandler((event) => this.handleKey(event));
    this.host.addEventListener('paste', (event) => this.interceptPaste(event), { capture: true });
  }

  /** The host has a place: fits in and takes the keyboard. */
  show(): void {
    if (!this.isOpen) this.open();
    this.observer.observe(this.host);
    this.fit();
    if (!matchMedia('(pointer: coarse)').matches) this.terminal.focus();
  }

  hide(): void {
    this.observer.disconnect();
  }

  dispose(): void {
    this.isDisposed = true;
    this.observer.disconnect();
    this.stopGround();
    this.output.end();
    this.terminal.dispose();
  }

  print(text: string): void {
    this.output.print(text);
  }

  /** Prints a line of our own between the device's output. */
  notice(text: string): void {
    this.output.print(noticeOf(text));
  }

  /** Makes the text larger or smaller, here and in terminals that are opened later. Returns its size. */
  changeFontSize(step: number): number {
    const size = Math.min(FONT.most, Math.max(FONT.least, (this.terminal.options.fontSize ?? FONT.usual) + step));
    this.terminal.options.fontSize = size;
    localStorage.setItem(FONT_KEY, String(size));
    this.fit();
    return size;
  }

  /** True if screen readers get the text: it costs time with much output. */
  get isReaderMode(): boolean {
    return this.terminal.options.screenReaderMode === true;
  }

  setReaderMode(isOn: boolean): void {
    this.terminal.options.screenReaderMode = isOn;
  }

  private open(): void {
    this.isOpen = true;
    withConstructedStyles(() => this.terminal.open(this.host));
    this.terminal.loadAddon(this.fitting);
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = '11';
    this.terminal.loadAddon(new WebLinksAddon((_event, target) => openLink(target)));
    void this.drawFast();
  }

  /** Draws by WebGL once its code is there. Until then, without a graphics card, and when WebGL is taken away, xterm draws with elements. */
  private async drawFast(): Promise<void> {
    if (!hasFastWebGl()) return;
    try {
      const { WebglAddon } = await import('@xterm/addon-webgl');
      if (this.isDisposed) return;
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.terminal.loadAddon(webgl);
    } catch {
      // The other renderer is there already.
    }
  }

  private takeGround(): void {
    const colours = COLOURS[currentGround()];
    // Every other preference ends here: a theme makes xterm redraw all lines.
    if (this.terminal.options.theme !== colours) this.terminal.options.theme = colours;
  }

  private fit(): void {
    if (this.host.clientWidth > 0 && this.host.clientHeight > 0) this.fitting.fit();
  }

  /** All keys are the terminal's, but for these. */
  private handleKey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true;
    const act = shortcutOf(TERMINAL, event);
    if (act === 'leave-terminal') return this.instead(event, this.events.onLeave);
    if (act === 'find-in-terminal') return this.instead(event, this.events.onFind);
    // The browser's own paste follows.
    if (act === 'paste-into-terminal') return false;
    // Without a selection, Ctrl+C interrupts the running program.
    const isCopy = act === 'copy-from-terminal' || (isPressed('Ctrl+c', event, isMac) && this.terminal.hasSelection());
    return isCopy ? this.instead(event, () => this.copy()) : true;
  }

  private instead(event: KeyboardEvent, act: () => void): boolean {
    event.preventDefault();
    act();
    return false;
  }

  private copy(): void {
    const text = this.terminal.getSelection();
    if (text === '') return;
    void copyText(text).then((isCopied) => {
      // The browser's own menu can still copy the selection.
      if (isCopied) this.terminal.clearSelection();
    });
  }

  private interceptPaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    event.stopPropagation();
    this.events.onPasteLines(text);
  }

  private follow(target: string, text: string): void {
    if (text.trim() === target) openLink(target);
    else this.events.onLink(target, text.trim());
  }

  private textIn({ start, end }: IBufferRange): string {
    const buffer = this.terminal.buffer.active;
    const lines: string[] = [];
    for (let row = start.y; row <= end.y; row += 1) {
      const from = row === start.y ? start.x - 1 : 0;
      const to = row === end.y ? end.x : undefined;
      lines.push(buffer.getLine(row - 1)?.translateToString(true, from, to) ?? '');
    }
    return lines.join('');
  }
}

/** Opens a page that a device has named: it learns nothing of this one. */
export function openLink(target: string): void {
  const url = URL.parse(target);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') window.open(url, '_blank', 'noopener,noreferrer');
}

/** A line of our own between the device's output. */
function noticeOf(text: string): string {
  return `\r\n\x1b[0;2m[${text}]\x1b[0m\r\n`;
}

function storedFontSize(): number {
  const size = Number(localStorage.getItem(FONT_KEY));
  return size >= FONT.least && size <= FONT.most ? size : FONT.usual;
}
