import {
  ImageFormat,
  KeyboardInputMode,
  MessageSeverity,
  NOTHING,
  PointerCursor,
  type Display,
  type KeyEvent,
  type ScreenRegion,
  type UpdateCaptureSettings,
} from '#libs/desktop-stream';
import { messageOf, RefusedError } from '../failures.js';
import { ClipboardExchange } from './clipboard-exchange.js';
import { InputQueue } from './input-queue.js';
import { CapturedPointer } from './picture/captured-pointer.js';
import type { PngThread } from './picture/png-thread.js';
import { PictureStream } from './picture/picture-stream.js';
import { RegionEncoder } from './picture/region-encoder.js';
import type { CursorImage, Desktop, DesktopDisplay } from './platform.js';
import type { Incoming, RelayConnection } from './relay-connection.js';

const FIRST_METRICS_MS = 1_000;
const METRICS_MS = 3_000;
/** A viewer that is silent for this time can no longer release what it holds down. */
const SILENT_MS = 10_000;
/** Time for the last sentence to the viewer. */
const FAREWELL_MS = 2_000;
const LOCKED = "The screen is locked. You see the lock screen; the user's password is needed.";

/** Tells the person at the device that the session runs, with a button that ends it. `place` is the number of its place, counted from the top. */
export interface SessionNotice {
  readonly sentence: string;
  readonly place: number;
}

/** One viewer's session with a desktop. */
export class Session {
  private readonly pictures: PictureStream;
  private readonly pointer: CapturedPointer;
  private readonly input: InputQueue;
  private readonly clipboard: ClipboardExchange;
  private displays: readonly DesktopDisplay[] = [];
  private shown: DesktopDisplay | undefined;
  private settings: UpdateCaptureSettings | undefined;
  private onConfigured: (() => void) | undefined;
  private metrics: NodeJS.Timeout | undefined;
  /** Resolves when the session ends, with a sentence for the viewer. */
  private readonly over: Promise<string | undefined>;
  private finish: (reason: string | undefined) => void = () => undefined;
  private cursor: CursorImage | undefined;
  private isReadingCursor = false;
  private isCursorChanged = false;
  private isOver = false;
  private isLeaving = false;

  constructor(
    private readonly sessionId: string,
    private readonly desktop: Desktop,
    private readonly relay: RelayConnection,
    png: PngThread,
    private readonly log: (line: string) => void,
  ) {
    this.over = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.input = new InputQueue(desktop.input);
    const clipboard = {
      whenOpen: async () => this.relay.whenOpen(),
      send: (text: string | null) => void this.relay.send('ClipboardText', { text, sessionId }),
      tell: (sentence: string) => this.tell(sentence),
    };
    this.clipboard = new ClipboardExchange(desktop.clipboard, clipboard, (error) => this.fail(error));
    this.pointer = new CapturedPointer(desktop.capture, desktop.cursor, (error) => this.fail(error));
    this.pictures = new PictureStream(this.pointer, new RegionEncoder(png), {
      whenOpen: async () => this.relay.whenOpen(),
      send: (regions: readonly ScreenRegion[]) => this.relay.send('ScreenRegions', { regions: [...regions] }),
    });
  }

  /** Ends the session, also one that has yet to begin. `reason` is a sentence for the viewer. */
  end(reason?: string): void {
    this.finish(reason);
  }

  /** Ends the session for the person at the device: viewers are asked to close, and have a moment for it. */
  private leave(): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.relay.send('SessionDisconnectRequested', NOTHING);
    setTimeout(() => this.end(), FAREWELL_MS);
  }

  /** Serves the viewer until either side ends the session, or the desktop does. */
  async run(notice?: SessionNotice): Promise<void> {
    const configured = new Promise<void>((resolve) => {
      this.onConfigured = resolve;
    });
    this.desktop.onLost(() => this.end('The desktop of the device has ended: its X server is gone.'));
    void this.relay.ended.then(() => this.end());
    this.relay.receive(
      (message) => this.take(message),
      (error) => this.end(`The session failed: ${messageOf(error)}`),
    );
    // Not waited for: a window system that is stuck answers nothing, and the viewer may leave.
    this.later(this.begin(configured, notice));
    const reason = await this.over;
    this.isOver = true;
    clearTimeout(this.metrics);
    this.input.stop();
    this.pictures.stop();
    this.pointer.stop();
    if (reason !== undefined) {
      this.log(reason);
      this.relay.send('RemoteControlSessionError', { message: reason, isFatal: true });
    }
    await Promise.all([this.desktop.close(), Promise.race([this.relay.close(), timeout(FAREWELL_MS)])]);
  }

  private async begin(configured: Promise<void>, notice: SessionNotice | undefined): Promise<void> {
    if (notice !== undefined) await this.desktop.person.notice(notice.sentence, 'End session', notice.place, () => this.leave());
    await this.readDisplays();
    if (this.isOver) return;
    this.desktop.displays.onChange(() => this.later(this.readDisplays()));
    this.desktop.cursor.onChange(() => this.later(this.sendCursor()));
    this.later(this.sendCursor());
    this.desktop.lock.onChange(() => this.tellLock());
    this.tellLock();
    this.metrics = setTimeout(() => this.sendMetrics(), FIRST_METRICS_MS);
    this.later(this.pictures.run(configured));
  }

  /** Deals with a message. A promise is awaited before the message is acknowledged. */
  private take(message: Incoming): Promise<void> | undefined {
    switch (message.name) {
      case 'UpdateCaptureSettings':
        this.settings = message.value;
        this.clipboard.synchronize(message.value.clipboardSync);
        this.pointer.draw(message.value.captureCursor);
        this.pictures.configure(message.value);
        this.onConfigured?.();
        return undefined;
      case 'RequestKeyFrame':
        this.pictures.requestKeyFrame();
        return undefined;
      case 'ChangeDisplays':
        this.change(message.value.displayId);
        return undefined;
      case 'CloseRemoteControlSession':
        this.end();
        return undefined;
      case 'MovePointer':
        this.input.move(message.value);
        return undefined;
      case 'MouseButtonEvent':
        return this.input.add((device) => device.button(message.value.button, message.value.isPressed, message.value));
      case 'MouseClick':
        return this.input.add((device) => device.click(message.value.button, message.value.isDoubleClick, message.value));
      case 'WheelScroll':
        return this.input.add((device) => device.scroll(message.value, message.value.scrollX, message.value.scrollY));
      case 'KeyEvent':
        return this.key(message.value);
      case 'TypeText':
        return this.input.add(async (device) => device.type(message.value.text));
      case 'ResetKeyboardState':
        return this.input.add((device) => device.releaseAll());
      case 'ToggleBlockInput':
        this.relay.send('BlockInputResult', { isSuccess: false, finalState: false });
        this.tell('The input of people at the device can be blocked on Windows only.');
        return undefined;
      case 'TogglePrivacyScreen':
        this.relay.send('PrivacyScreenResult', { isSuccess: false, finalState: false });
        this.tell('Devices with Windows have a privacy screen, and no others.');
        return undefined;
      case 'ClipboardText':
        return this.setClipboard(message.value.text);
      case 'RequestClipboardText':
        return this.clipboard.answer();
      case 'BlockInputResult':
      case 'CaptureMetricsChanged':
      case 'CursorChanged':
      case 'DisplayData':
      case 'PrivacyScreenResult':
      case 'RemoteControlSessionError':
      case 'ScreenRegion':
      case 'ScreenRegions':
      case 'SessionDisconnectRequested':
      case 'ToastNotification':
      case 'VideoStreamPacket':
      case 'WindowsSessionEnding':
      case 'WindowsSessionSwitched':
      case null:
        // Kinds of messages that this agent does not know yet, and those that are not for it.
        return undefined;
    }
  }

  /** Sets the clipboard before the input that follows: it may be the keys that paste. */
  private async setClipboard(text: string | null): Promise<void> {
    const setting = this.clipboard.set(text);
    // Its failure is that of the queue, which may come to it later.
    setting.catch(() => undefined);
    await this.input.add(async () => setting);
  }

  private key({ key, code, isPressed, inputMode, modifiers }: KeyEvent): Promise<void> | undefined {
    const isCharacter = [...key].length === 1;
    // AltGr of Windows is Control and Alt, which have led to the character, and are no part of a shortcut.
    if (
      isCharacter &&
      code !== '' &&
      modifiers.control &&
      modifiers.alt &&
      !/^[a-z0-9]$/i.test(key) &&
      inputMode !== KeyboardInputMode.values.Physical
    ) {
      const others = { ...modifiers, control: false, alt: false };
      return isPressed ? this.input.add(async (device) => device.character(key, others)) : undefined;
    }
    const isShortcut = modifiers.control || modifiers.alt || modifiers.meta;
    const isTyped =
      isCharacter &&
      inputMode !== KeyboardInputMode.values.Physical &&
      (!isShortcut || (inputMode === KeyboardInputMode.values.Virtual && code === ''));
    if (isTyped) return isPressed ? this.input.add(async (device) => device.character(key, modifiers)) : undefined;
    // The character that a dead key begins follows by itself.
    if (key === 'Dead' && inputMode !== KeyboardInputMode.values.Physical) return undefined;
    const position = inputMode === KeyboardInputMode.values.Virtual && !isCharacter ? '' : code;
    return this.input.add((device) => device.key(key, position, isPressed));
  }

  private change(displayId: string): void {
    const display = this.displays.find(({ id }) => id === displayId);
    if (display === undefined) {
      this.tell('The device does not have this display any more.');
      return;
    }
    this.show(display);
  }

  /** Sends the displays, and keeps the shown one if it is still there, else takes the primary one. */
  private async readDisplays(): Promise<void> {
    const displays = await this.desktop.displays.read();
    const isSame = JSON.stringify(displays) === JSON.stringify(this.displays);
    if (isSame) return;
    this.displays = displays;
    this.relay.send('DisplayData', { displays: displays.map(descriptionOf) });
    const shown = displays.find(({ id }) => id === this.shown?.id) ?? displays.find(({ isPrimary }) => isPrimary) ?? displays[0];
    if (shown === undefined) throw new RefusedError('The desktop of the device has no display.');
    if (JSON.stringify(shown) !== JSON.stringify(this.shown)) this.show(shown);
  }

  private show(display: DesktopDisplay): void {
    this.shown = display;
    this.desktop.input.show(display.bounds);
    this.pictures.show(display.bounds);
  }

  /** Sends the shape of the pointer if it is another one than the last. Shapes that change very fast are joined. */
  private async sendCursor(): Promise<void> {
    if (this.isReadingCursor) {
      this.isCursorChanged = true;
      return;
    }
    this.isReadingCursor = true;
    do {
      this.isCursorChanged = false;
      const image = await this.desktop.cursor.read();
      if (image === this.cursor) continue;
      this.cursor = image;
      this.relay.send('CursorChanged', {
        cursor: image === undefined ? PointerCursor.values.NormalArrow : PointerCursor.values.Custom,
        customCursorBase64Png: image === undefined ? null : Buffer.from(image.png).toString('base64'),
        xHotspot: image?.xHotspot ?? 0,
        yHotspot: image?.yHotspot ?? 0,
        sessionId: this.sessionId,
      });
    } while (this.isCursorChanged);
    this.isReadingCursor = false;
  }

  private sendMetrics(): void {
    if (this.relay.silentMs > SILENT_MS) this.desktop.input.releaseAll();
    const { fps, quality, mbps } = this.pictures.figures();
    const extraData: Record<string, string> = { mbps: mbps.toFixed(2), clipboardSync: this.clipboard.state };
    if (this.relay.latencyMs !== undefined) extraData.latencyMs = this.relay.latencyMs.toFixed(1);
    if (this.settings?.encodingFormat === ImageFormat.values.WebP) extraData.format = 'JPEG, because this agent cannot encode WebP';
    this.relay.send('CaptureMetricsChanged', {
      fps: Math.round(fps * 100) / 100,
      captureMode: this.desktop.capture.mode,
      currentQuality: quality,
      extraData,
    });
    this.metrics = setTimeout(() => this.sendMetrics(), METRICS_MS);
  }

  private tellLock(): void {
    if (this.desktop.lock.isLocked) this.tell(LOCKED);
  }

  private tell(message: string): void {
    this.relay.send('ToastNotification', { message, severity: MessageSeverity.values.Warning });
  }

  /** Ends the session when something in the background fails. */
  private later(work: Promise<void>): void {
    work.catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    if (!this.isOver) this.end(sentenceOf(error));
  }
}

function descriptionOf({ id, name, isPrimary, bounds: { x, y, width, height } }: DesktopDisplay, index: number): Display {
  return {
    capturePixelSize: { height, width },
    displayId: id,
    index,
    isPrimary,
    layoutBounds: { height, width, x, y },
    layoutCoordinateSpace: 1,
    name,
    nativePixelSize: { height, width },
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof RefusedError ? error.message : `The desktop of the device can no longer be shown: ${messageOf(error)}`;
}

async function timeout(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
