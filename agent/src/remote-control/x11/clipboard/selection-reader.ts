import type { XProperty } from 'x11';
import { RefusedError } from '../../../failures.js';
import type { XConnection } from '../x-connection.js';
import { STRING, type Atoms } from './atoms.js';
import { HiddenWindow } from './hidden-window.js';

/** Time for each step of the program that holds the clipboard, and for all of them. */
const STEP_MS = 3_000;
const ALL_STEPS_MS = 20_000;
const NEW_VALUE = 0;
const WORD_BYTES = 4;
const MAX_TARGETS = 1_024;
const LATIN_1 = 'latin1';

/** Reads the text of the clipboard from the program that holds it. */
export class SelectionReader {
  constructor(
    private readonly connection: XConnection,
    private readonly atoms: Atoms,
  ) {}

  /** Undefined if it has no text. @throws RefusedError when it has more bytes, or the program does not answer */
  async read(mostBytes: number): Promise<string | undefined> {
    const listed = await this.convert(this.atoms.TARGETS, MAX_TARGETS * WORD_BYTES);
    const texts = [this.atoms.UTF8_STRING, this.atoms['text/plain;charset=utf-8'], STRING];
    const offered = listed === undefined ? undefined : targetsOf(listed);
    for (const target of texts) {
      if (offered?.has(target) === false) continue;
      const bytes = await this.convert(target, mostBytes);
      if (bytes !== undefined) return bytes.toString(target === STRING ? LATIN_1 : 'utf8');
    }
    return undefined;
  }

  /** The text in one form; undefined if the program does not have it. Each form has a window of its own, whose end ends the transfer. */
  private async convert(target: number, mostBytes: number): Promise<Buffer | undefined> {
    const { client } = this.connection;
    const { CLIPBOARD, INCR, _DEVICE_AGENT: property } = this.atoms;
    const window = new HiddenWindow(this.connection);
    window.listen();
    try {
      client.ConvertSelection(window.id, CLIPBOARD, target, property, 0);
      const answer = await window.next(({ requestor }) => requestor === window.id, STEP_MS);
      if (answer === undefined) throw unanswered();
      if (answer.property === 0) return undefined;
      const value = await this.take(window, mostBytes);
      return value.type === INCR ? await this.pieces(window, mostBytes) : value.data;
    } finally {
      window.destroy();
    }
  }

  private async pieces(window: HiddenWindow, mostBytes: number): Promise<Buffer> {
    const end = performance.now() + ALL_STEPS_MS;
    const pieces: Buffer[] = [];
    let size = 0;
    for (;;) {
      const isNew = await window.next(({ name, state }) => name === 'PropertyNotify' && state === NEW_VALUE, STEP_MS);
      if (isNew === undefined || performance.now() > end) throw unanswered();
      const { data } = await this.take(window, mostBytes);
      if (data.length === 0) return Buffer.concat(pieces);
      size += data.length;
      if (size > mostBytes) throw tooLong();
      pieces.push(data);
    }
  }

  /** Reads the property and deletes it, so that the next piece can come. */
  private async take(window: HiddenWindow, mostBytes: number): Promise<XProperty> {
    const words = Math.ceil(mostBytes / WORD_BYTES);
    const value = await this.connection.ask<XProperty>((reply) =>
      this.connection.client.GetProperty(1, window.id, this.atoms._DEVICE_AGENT, 0, 0, words, (error, property) => {
        // What has come by now tells of the property that is deleted.
        window.forget();
        return reply(error, error == null ? { ...property, data: Buffer.from(property.data) } : property);
      }),
    );
    if (value.bytesAfter > 0 || value.data.length > mostBytes) throw tooLong();
    return value;
  }
}

function targetsOf(bytes: Buffer): ReadonlySet<number> {
  return new Set(Array.from({ length: Math.floor(bytes.length / WORD_BYTES) }, (_, index) => bytes.readUInt32LE(index * WORD_BYTES)));
}

function unanswered(): RefusedError {
  return new RefusedError('The program that holds the clipboard of the device did not answer.');
}

function tooLong(): RefusedError {
  return new RefusedError('The clipboard of the device has more than 1 MiB of text, so none of it was sent.');
}
