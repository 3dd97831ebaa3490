import { decodeMessage, DesktopStreamError, type Display, type Message, NOTHING, type UnknownMessage } from '#libs/desktop-stream';

import { canBeDrawn, shownOf } from './displays.js';
import { type CaptureSettings, type FromWorker, isForPage, type LineFault, type LineRequest, type ViewerMessage } from './messages.js';
import { PacedMoves } from './paced-moves.js';
import type { Painter } from './painter.js';
import { Sender } from './sender.js';

/** Time between two reports of figures, in milliseconds. */
const FIGURES_EVERY = 1000;
/** Close code of a service that stops. */
const GOING_AWAY = 1001;
/** Shortest time between two requests for the whole display after pictures that could not be decoded, in milliseconds. */
const REPAIR_EVERY = 3000;

/** A line to the device through the relay: draws what comes, acknowledges what is drawn, and sends what the user does. */
export class Line {
  private readonly socket: WebSocket;
  private readonly sender: Sender;
  private readonly moves: PacedMoves;
  private displays: readonly Display[] = [];
  private shown: Display | null = null;
  private wanted: string | null;
  private wantedSettings: CaptureSettings;
  private wasOpen = false;
  private hasDrawn = false;
  /** The action after this side has closed the line. */
  private onEnd: (() => void) | null = null;
  private fault: LineFault | null = null;
  private frames = 0;
  private bytes = 0;
  private repairedAt = -Infinity;
  private figuresTimer: ReturnType<typeof setInterval> | undefined;

  constructor(
    { address, settings, displayId }: LineRequest,
    private readonly painter: Painter,
    private readonly tell: (message: FromWorker) => void,
  ) {
    this.wanted = displayId;
    this.wantedSettings = settings;
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.sender = new Sender(
      (bytes) => {
        // What comes too late for a closing line is lost with it.
        if (this.socket.readyState === WebSocket.OPEN) this.socket.send(Uint8Array.from(bytes));
      },
      () => this.fail('silent'),
    );
    this.moves = new PacedMoves(({ x, y }) => this.sender.send('MovePointer', { normalizedX: x, normalizedY: y }));
    this.socket.addEventListener('open', () => this.opened());
    this.socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (this.onEnd === null && data instanceof ArrayBuffer && data.byteLength > 0) this.receive(new Uint8Array(data));
    });
    this.socket.addEventListener('close', ({ code }) => (this.onEnd === null ? this.closed(code) : this.onEnd()));
  }

  send({ name, value }: ViewerMessage): void {
    this.moves.flush();
    this.sender.send(name, value);
  }

  /** Asks the device for other pictures, once it is there. */
  settings(settings: CaptureSettings): void {
    this.wantedSettings = settings;
    if (this.wasOpen) this.sender.send('UpdateCaptureSettings', settings);
  }

  move(x: number, y: number): void {
    if (!this.sender.isBusy) this.moves.move({ x, y });
  }

  /** Shows another display of the device. */
  show(displayId: string): void {
    this.wanted = displayId;
    if (this.displays.length === 0) return;
    this.sender.send('ChangeDisplays', { displayId });
    this.choose();
  }

  /** Ends the line from this side. Nothing is told any more; `whenClosed` is called once the other side knows. */
  end(whenClosed = (): void => undefined): void {
    // A line that the other side has closed tells of no further close.
    if (this.socket.readyState === WebSocket.CLOSED) return whenClosed();
    this.onEnd = whenClosed;
    this.sender.send('CloseRemoteControlSession', NOTHING);
    this.stop();
    this.socket.close();
  }

  private opened(): void {
    this.wasOpen = true;
    this.tell({ kind: 'opened' });
    this.sender.send('UpdateCaptureSettings', this.wantedSettings);
    this.sender.send('RequestKeyFrame', NOTHING);
    this.figuresTimer = setInterval(() => this.report(), FIGURES_EVERY);
  }

  private receive(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    try {
      const message = decodeMessage(bytes);
      void this.dealWith(message).then((isOver) => {
        if (!isOver) this.sender.acknowledge(message.size, message.sentAt);
      });
    } catch (error) {
      if (!(error instanceof DesktopStreamError)) throw error;
      this.fail('unreadable');
    }
  }

  /** Deals with a message. Settles with true for one that is not acknowledged. */
  private async dealWith(message: Message | UnknownMessage): Promise<boolean> {
    if (message.name === 'Ack') this.sender.acknowledged(message.value);
    else if (message.name === 'DisplayData') this.take(message.value.displays);
    else if (message.name === 'ScreenRegions') await this.draw(message.value.regions);
    else if (message.name === 'ScreenRegion') await this.draw([message.value]);
    else if (isForPage(message)) this.tell({ kind: 'received', message });
    return message.name === 'Ack';
  }

  private take(displays: readonly Display[]): void {
    const isFirst = this.displays.length === 0;
    this.displays = displays;
    this.choose();
    // A new line begins with the primary display.
    if (isFirst && this.shown?.isPrimary === false) this.sender.send('ChangeDisplays', { displayId: this.shown.displayId });
  }

  private choose(): void {
    this.shown = shownOf(this.displays, this.wanted);
    // The device goes on with a display that took the place of another one, also when that comes back.
    this.wanted = this.shown?.displayId ?? this.wanted;
    if (this.shown !== null && !canBeDrawn(this.shown)) return this.fail('too-large');
    if (this.shown !== null) this.painter.resize(this.shown.capturePixelSize);
    this.tell({ kind: 'displays', displays: this.displays, shown: this.shown });
  }

  private async draw(regions: Parameters<Painter['draw']>[0]): Promise<void> {
    const failed = await this.painter.draw(regions);
    this.frames += 1;
    if (failed > 0 && performance.now() - this.repairedAt > REPAIR_EVERY) {
      this.repairedAt = performance.now();
      this.sender.send('RequestKeyFrame', NOTHING);
    }
    // A picture that was still being decoded when the line ended says nothing of a line.
    if (!this.hasDrawn && failed < regions.length && this.socket.readyState === WebSocket.OPEN) {
      this.hasDrawn = true;
      this.tell({ kind: 'drawn' });
    }
  }

  private report(): void {
    this.tell({ kind: 'figures', figures: { frames: this.frames, bytes: this.bytes, latencyMs: this.sender.latencyMs } });
    this.frames = 0;
    this.bytes = 0;
  }

  private fail(fault: LineFault): void {
    this.fault ??= fault;
    this.socket.close();
  }

  private closed(code: number): void {
    this.stop();
    this.tell({ kind: 'closed', wasOpen: this.wasOpen, fault: this.fault, isRestart: code === GOING_AWAY });
  }

  private stop(): void {
    clearInterval(this.figuresTimer);
    this.moves.stop();
    this.sender.close();
  }
}
