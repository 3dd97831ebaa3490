import type { Arguments, Result } from '#libs/contracts';

import { ProblemError, problemOf } from '../../../problem/problem.js';
import { onDeviceUpdate, showDevices } from '../../device-feed.js';
import { isOnlineNow } from '../../device-state.js';
import { expectSuccess, invoke, invokeIfLive, onHubBack, onPush, type Pushes, type ViewerMethods } from '../../hub.js';
import { removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { InputQueue } from './input-queue.js';
import { Screen, type ScreenEvents } from './screen.js';
import type { RememberedTerminal } from './terminal-list.js';
import { openerIsThere, tell } from './terminal-windows.js';
import { t } from './texts.js';

type Output = Arguments<Pushes['ReceiveTerminalOutput']>[0];
export type Completions = NonNullable<Result<ViewerMethods['GetPwshCompletions']>['value']>;

/** By their numbers in the contract. */
const RAW = 1;
const STANDARD_ERROR = 1;

const PERMISSION = 'device.terminal.use';
/** Sizes change with every pixel while a window is dragged. */
const RESIZE_DELAY = 80;
/** Agents end a terminal without input after ten minutes. One that a user keeps open is in use. */
const SIGN_OF_LIFE = 240_000;

/** Called when a terminal needs the page that shows it: to ask something, or to hand over the focus. */
export type TerminalEvents = Pick<ScreenEvents, 'onLink' | 'onPasteLines' | 'onLeave' | 'onFind'>;

const NOBODY: TerminalEvents = {
  onLink: () => undefined,
  onPasteLines: () => undefined,
  onLeave: () => undefined,
  onFind: () => undefined,
};

/** Keys that stay pressed on the key row of a phone until the next one. */
export interface StickyKeys {
  readonly ctrl: boolean;
  readonly alt: boolean;
}

/** State of a terminal's connection with its shell. */
type Connection =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  /** The hub or the device is away; the shell is asked for again when it is back. */
  | { readonly kind: 'waiting'; readonly for: 'hub' | 'device' }
  /** Another window has it, and its shell. */
  | { readonly kind: 'away' }
  | { readonly kind: 'failed'; readonly problem: ProblemError };

/**
 * A terminal on a device. Its id names the shell there: a new terminal with the id of a running one takes it over, so that a lost
 * connection or a reload of the page leaves the shell alone.
 */
export class TerminalSession implements Session {
  readonly kind = 'terminal';
  readonly id: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly number: number;
  readonly screen: Screen;
  connection: Connection = { kind: 'opening' };
  /** True for a shell on a terminal of its own, false for one that takes whole lines; null before the agent has said. */
  isRaw: boolean | null;
  /** Title that the program in it sets. */
  title = '';
  sticky: StickyKeys = { ctrl: false, alt: false };

  private events: TerminalEvents = NOBODY;
  private readonly queue = new InputQueue((input) => this.send(input));
  private readonly stops: (() => void)[];
  private resizeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The shell was asked for over the present connection, and was there before. */
  private isReturning: boolean;
  /** Counts the requests for the shell: the hub and the device may both come back, and only the last answer counts. */
  private attempt = 0;
  private hasEnded = false;
  /** Text that was typed while the shell was asked for. */
  private early = '';

  constructor(
    { terminalId, deviceId, deviceName, number, isRaw, isAway = false }: RememberedTerminal,
    private readonly onRemembered: () => void,
  ) {
    this.id = terminalId;
    this.deviceId = deviceId;
    this.deviceName = deviceName;
    this.number = number;
    this.isRaw = isRaw;
    this.isReturning = isRaw !== null;
    this.screen = new Screen({
      onData: (data) => this.type(data),
      onResize: () => this.resize(),
      onLink: (target, text) => this.events.onLink(target, text),
      onPasteLines: (text) => this.events.onPasteLines(text),
      onLeave: () => this.events.onLeave(),
      onFind: () => this.events.onFind(),
    });
    this.screen.terminal.onTitleChange((title) => {
      this.title = title;
      sessionChanged();
    });
    const signs = setInterval(() => this.resizeNow(), SIGN_OF_LIFE);
    this.stops = [
      showDevices([deviceId]),
      onPush('ReceiveTerminalOutput', (output) => this.receive(output)),
      onHubBack(() => {
        if (this.connection.kind !== 'away') void this.attach();
      }),
      onDeviceUpdate((device) => {
        if (device.id !== deviceId) return;
        if (this.connection.kind === 'away') return;
        if (!device.isOnline) this.become({ kind: 'waiting', for: 'device' });
        else if (this.connection.kind === 'waiting') void this.attach();
      }),
      () => clearInterval(signs),
    ];
    if (isAway) this.connection = { kind: 'away' };
    else void this.attach();
  }

  get label(): string {
    return t('terminal-number', { number: this.number });
  }

  get href(): string {
    return `/devices/${this.deviceId}/terminal?terminal=${this.number}`;
  }

  get host(): HTMLElement {
    return this.screen.host;
  }

  get state(): SessionState {
    switch (this.connection.kind) {
      case 'open':
        return 'running';
      case 'failed':
      case 'away':
        return this.connection.kind;
      case 'opening':
      case 'waiting':
        return 'waiting';
    }
  }

  /** State that the tab keeps over a reload. */
  get remembered(): RememberedTerminal {
    const { id: terminalId, deviceId, deviceName, number, isRaw } = this;
    return { terminalId, deviceId, deviceName, number, isRaw, isAway: this.connection.kind === 'away' };
  }

  /** True if the window that it came from takes it back when this one is closed. */
  get isKeptElsewhere(): boolean {
    return openerIsThere();
  }

  readonly onShown = (isShown: boolean): void => {
    if (isShown) this.screen.show();
    else this.screen.hide();
  };

  /** Asks for the shell: a new one, or the one that runs under this id. */
  async attach(): Promise<void> {
    if (this.hasEnded) return;
    this.become({ kind: 'opening' });
    this.isReturning = this.isRaw !== null;
    this.attempt += 1;
    const { attempt } = this;
    try {
      const result = await invoke('CreateTerminalSession2', { deviceId: this.deviceId, terminalId: this.id });
      if (this.hasEnded || attempt !== this.attempt) return;
      expectSuccess(result, PERMISSION, this.deviceId);
      this.become({ kind: 'open' });
      this.typeEarly();
      if (this.isRaw === true) await this.redraw();
    } catch (error) {
      if (attempt === this.attempt) await this.failWith(error);
    }
  }

  /** Takes typed or pasted text, as the keyboard makes it. */
  type(data: string): void {
    const { connection } = this;
    if (this.isRaw === false || connection.kind === 'failed' || connection.kind === 'away') return;
    // Nobody expects a new shell to get what was typed into the former one.
    if (connection.kind === 'waiting' && connection.for === 'device') return;
    const { ctrl, alt } = this.sticky;
    if (ctrl || alt) {
      this.sticky = { ctrl: false, alt: false };
      sessionChanged();
    }
    const typed = withModifiers(data, { ctrl, alt });
    if (this.isRaw === null || this.connection.kind === 'opening') this.early += typed;
    else this.queue.type(typed);
  }

  /** Types the kept input, once there is a shell that takes it. */
  private typeEarly(): void {
    if (this.isRaw !== true || this.connection.kind !== 'open' || this.early === '') return;
    this.queue.type(this.early);
    this.early = '';
  }

  /** Runs a line in a shell that takes whole lines. */
  async runLine(line: string): Promise<void> {
    this.screen.print(`${line}\n`);
    await this.call({ input: line });
  }

  /** Takes several lines that the user pastes: a shell that takes whole lines runs each. */
  async paste(text: string): Promise<void> {
    if (this.isRaw === false) for (const line of linesOf(text)) await this.runLine(line);
    else {
      this.screen.terminal.paste(text);
      this.screen.terminal.focus();
    }
  }

  /** Completions of a line: the next one, or the one before. */
  async complete(line: string, cursor: number, forward: boolean): Promise<Completions | null> {
    const answer = await invoke('GetPwshCompletions', {
      deviceId: this.deviceId,
      terminalId: this.id,
      lastCompletionInput: line,
      lastCursorIndex: cursor,
      viewerConnectionId: '',
      forward,
      page: 0,
      pageSize: 50,
    });
    return answer.isSuccess ? answer.value : null;
  }

  /** The page that shows it answers its questions. */
  listen(events: TerminalEvents): void {
    this.events = events;
  }

  setSticky(sticky: StickyKeys): void {
    this.sticky = sticky;
    sessionChanged();
  }

  end = (): void => {
    if (this.hasEnded) return;
    this.letGo();
    tell('ended', this.id);
    void invokeIfLive('CloseTerminalSession2', { deviceId: this.deviceId, terminalId: this.id });
  };

  /** Another window has the shell from now on: this one keeps its output. */
  goAway(): void {
    this.attempt += 1;
    this.queue.clear();
    this.early = '';
    this.become({ kind: 'away' });
    this.onRemembered();
  }

  /** Takes it off this page. Its shell keeps running. */
  letGo(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const stop of this.stops) stop();
    clearTimeout(this.resizeTimer);
    this.screen.dispose();
    removeSession(this);
    this.onRemembered();
  }

  private receive(output: Output): void {
    if (output.terminalId !== this.id || this.connection.kind === 'away') return;
    if (output.supportsRaw === true) return this.startRaw();
    if (this.isRaw === null) this.startLines();
    if (this.isRaw === true) {
      if (output.mode === RAW) this.screen.print(output.output);
    } else this.screen.print(output.outputKind === STANDARD_ERROR ? `\x1b[31m${output.output}\x1b[0m` : output.output);
  }

  /** A new shell, of an agent that has terminals of their own. */
  private startRaw(): void {
    if (this.isReturning && this.isRaw === true) this.screen.notice(t('new-shell'));
    this.isReturning = false;
    this.remember(true);
    this.resizeNow();
    this.typeEarly();
  }

  private startLines(): void {
    this.screen.terminal.options.convertEol = true;
    this.screen.terminal.options.disableStdin = true;
    this.early = '';
    this.remember(false);
  }

  private remember(isRaw: boolean): void {
    this.isRaw = isRaw;
    this.onRemembered();
    sessionChanged();
  }

  private resize(): void {
    clearTimeout(this.resizeTimer);
    this.resizeTimer = setTimeout(() => this.resizeNow(), RESIZE_DELAY);
  }

  /** An input without text: the shell gets the size of the screen. */
  private resizeNow(): void {
    if (this.isRaw === true && this.connection.kind === 'open') void this.send('');
  }

  /** Programs redraw when the size changes, so it changes twice. */
  private async redraw(): Promise<void> {
    const { cols, rows } = this.screen.terminal;
    await this.call({ input: '', mode: RAW, columns: cols, rows: Math.max(1, rows - 1) });
    await this.call({ input: '', mode: RAW, columns: cols, rows });
  }

  private async send(input: string): Promise<void> {
    const { cols, rows } = this.screen.terminal;
    await this.call({ input, mode: RAW, columns: cols, rows }).catch((error: unknown) => this.failWith(error));
  }

  private async call(input: { readonly input: string; readonly mode?: typeof RAW; readonly columns?: number; readonly rows?: number }) {
    const dto = { terminalId: this.id, viewerConnectionId: null, mode: undefined, columns: undefined, rows: undefined, ...input };
    expectSuccess(await invoke('SendTerminalInput2', { deviceId: this.deviceId, input: dto }), PERMISSION, this.deviceId);
  }

  /**
   * Waits if the connection was lost, or the device: the shell is asked for again when that is back. A refusal or a failure of the service is
   * shown.
   */
  private async failWith(error: unknown): Promise<void> {
    if (this.hasEnded || this.connection.kind === 'away') return;
    this.queue.clear();
    this.early = '';
    const problem = problemOf(error);
    if (problem.status === 0) return this.become({ kind: 'waiting', for: 'hub' });
    const failed: Connection = { kind: 'failed', problem };
    if (problem.status === 403) return this.become(failed);
    // The device may be back before the service has answered that it is away.
    const asking: Connection = { kind: 'waiting', for: 'device' };
    this.become(asking);
    if ((await isOnlineNow(this.deviceId)) && this.connection === asking) this.become(failed);
  }

  private become(connection: Connection): void {
    if (this.hasEnded) return;
    this.connection = connection;
    sessionChanged();
  }
}

/** The lines of a pasted text. */
export const linesOf = (text: string): string[] => text.trimEnd().split(/\r\n|\r|\n/);

/** Returns the input for keys while Ctrl or Alt is held on the key row. */
function withModifiers(data: string, { ctrl, alt }: StickyKeys): string {
  const key = data.toUpperCase();
  const isLetter = key.length === 1 && key >= '@' && key <= '_';
  const typed = ctrl && isLetter ? String.fromCharCode(key.charCodeAt(0) - 64) : data;
  return alt ? `\x1b${typed}` : typed;
}
