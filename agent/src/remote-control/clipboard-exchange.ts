import { MAX_TEXT_MESSAGE_BYTES } from '#libs/desktop-stream';
import { RefusedError } from '../failures.js';
import type { Clipboard } from './platform.js';

/** Bytes that a message needs beside the text. */
const FRAME_BYTES = 256;
const MOST_BYTES = MAX_TEXT_MESSAGE_BYTES - FRAME_BYTES;
const TOO_LONG = 'The clipboard of the device has more than 1 MiB of text, so none of it was sent.';

/** Gives the viewer what it gets of the clipboard. */
export interface ClipboardSink {
  /** Waits while too much is not acknowledged. */
  whenOpen(): Promise<void>;
  send(text: string | null): void;
  /** Tells the viewer a sentence. */
  tell(sentence: string): void;
}

/** The clipboards of the device and of one viewer. */
export class ClipboardExchange {
  private isSynchronized = false;
  private isReading = false;
  private isChanged = false;
  private answering: Promise<void> | undefined;
  /** The text to set next, and the work on those that came before. */
  private next: string | undefined;
  private setting: Promise<void> | undefined;
  /** The text that both sides have. */
  private common: string | undefined;

  constructor(
    private readonly clipboard: Clipboard,
    private readonly sink: ClipboardSink,
    /** Is called when the exchange cannot go on. */
    private readonly failed: (error: unknown) => void,
  ) {
    clipboard.onChange(() => {
      if (this.isSynchronized) this.follow().catch(this.failed);
    });
  }

  /** `on` where changes are sent to the viewer. */
  get state(): 'on' | 'off' {
    return this.isSynchronized ? 'on' : 'off';
  }

  /** Chooses if changes are sent to the viewer. */
  synchronize(isOn: boolean): void {
    this.isSynchronized = isOn;
  }

  /** Sends the text, because the viewer has asked for it. One answer is for all who ask until it comes. */
  async answer(): Promise<void> {
    this.answering ??= this.read()
      .then(async (text) => this.send(text ?? null))
      .finally(() => (this.answering = undefined));
    return this.answering;
  }

  /** Puts a text of the viewer on the clipboard. Of several that wait, only the last one is. Viewers without a text send none. */
  async set(text: string | null): Promise<void> {
    if (text === null || text === '') return;
    this.next = text;
    this.setting ??= this.setAll().finally(() => (this.setting = undefined));
    return this.setting;
  }

  private async setAll(): Promise<void> {
    while (this.next !== undefined) {
      const text = this.next;
      this.next = undefined;
      this.common = text;
      await this.saying(async () => this.clipboard.write(text));
    }
  }

  /** Sends the text that is new. Changes that come while it is read are joined. */
  private async follow(): Promise<void> {
    this.isChanged = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isChanged && this.isSynchronized) {
        this.isChanged = false;
        const text = await this.read();
        // A clipboard manager takes over what the viewer has sent.
        if (text !== undefined && text !== this.common) await this.send(text);
      }
    } finally {
      this.isReading = false;
    }
  }

  private async send(text: string | null): Promise<void> {
    await this.sink.whenOpen();
    if (text !== null) this.common = text;
    this.sink.send(text);
  }

  private async read(): Promise<string | undefined> {
    return this.saying(async () => {
      const text = await this.clipboard.read(MOST_BYTES);
      if (text !== undefined && Buffer.byteLength(text) > MOST_BYTES) throw new RefusedError(TOO_LONG);
      return text;
    });
  }

  /** Tells the viewer the reason of what does not work. The session goes on. */
  private async saying<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.sink.tell(error.message);
      return undefined;
    }
  }
}
