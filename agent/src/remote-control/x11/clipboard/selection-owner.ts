import type { XEvent, XProperty } from 'x11';
import type { XConnection } from '../x-connection.js';
import { ATOM, INTEGER, STRING, type Atoms } from './atoms.js';

const REPLACE = 0;
const PROPERTY_CHANGE = 0x400000;
const DELETED = 1;
const WORD_BYTES = 4;
/** Most forms that are asked for at once. */
const MAX_FORMS = 64;
/** Longer texts are given in pieces of this size. A request of X has at most 256 KiB. */
const PIECE_BYTES = 64 * 1024;
/** Texts that are given in pieces at the same time. */
const MAX_TRANSFERS = 16;
/** A program that does not take the next piece in this time does not want it any more. */
const PIECE_WITHIN_MS = 10_000;

/** A text of which a program takes one piece after another. */
interface Transfer {
  readonly type: number;
  readonly bytes: Buffer;
  offset: number;
  timer: NodeJS.Timeout;
}

/** Gives a text to the programs that ask for it. */
export class SelectionOwner {
  /** Undefined while another program holds the selection. `since` is by the clock of the server. */
  private held: { readonly text: string; readonly since: number } | undefined;
  private readonly transfers = new Map<string, Transfer>();

  constructor(
    private readonly connection: XConnection,
    private readonly atoms: Atoms,
  ) {}

  /** The text; undefined while another program holds the selection. */
  get text(): string | undefined {
    return this.held?.text;
  }

  /** Gives the text from now on. */
  hold(text: string, since: number): void {
    this.held = { text, since };
  }

  /** Gives the text no more, except to programs that are taking it already. */
  lose(): void {
    this.held = undefined;
  }

  /** The forms of the text. Latin-1 is one of them only where nothing would get lost. */
  get forms(): ReadonlyMap<number, Buffer> {
    const { UTF8_STRING, 'text/plain;charset=utf-8': plain } = this.atoms;
    const text = this.held?.text ?? '';
    const bytes = Buffer.from(text);
    const forms = new Map([UTF8_STRING, plain].map((target) => [target, bytes]));
    const latin1 = Buffer.from(text, 'latin1');
    if (latin1.toString('latin1') === text) forms.set(STRING, latin1);
    return forms;
  }

  /** Answers a request for the text. */
  async answer({ requestor, selection, target, property, time }: XEvent): Promise<void> {
    const [window, form] = [Number(requestor), Number(target)];
    // Old programs name no property, and mean the one with the name of the form.
    const place = property === 0 ? form : Number(property);
    const isGiven = form === this.atoms.MULTIPLE ? await this.giveSeveral(window, place) : this.give(window, place, form);
    this.connection.client.SendEvent(window, 0, 0, {
      name: 'SelectionNotify',
      seq: 0,
      time: Number(time),
      requestor: window,
      selection: Number(selection),
      target: form,
      property: isGiven ? place : 0,
    });
  }

  /** Gives the next piece to a program that has taken the last one. */
  taken({ wid, atom, state }: XEvent): void {
    const key = `${Number(wid)}/${Number(atom)}`;
    const transfer = this.transfers.get(key);
    if (transfer === undefined || state !== DELETED) return;
    const piece = transfer.bytes.subarray(transfer.offset, transfer.offset + PIECE_BYTES);
    this.connection.client.ChangeProperty(REPLACE, Number(wid), Number(atom), transfer.type, 8, piece);
    transfer.offset += piece.length;
    // An empty piece is the end.
    if (piece.length === 0) this.forget(key);
    else transfer.timer.refresh();
  }

  /** Gives nothing more. */
  stop(): void {
    for (const key of this.transfers.keys()) this.forget(key);
  }

  /** Gives the text in several forms. The property has pairs of a form and its place, which becomes 0 where there is no such form. */
  private async giveSeveral(window: number, place: number): Promise<boolean> {
    const { client } = this.connection;
    const { data } = await this.connection.ask<XProperty>((reply) => client.GetProperty(0, window, place, 0, 0, 2 * MAX_FORMS, reply));
    const pairs = Array.from({ length: Math.floor(data.length / WORD_BYTES) }, (_, index) => data.readUInt32LE(index * WORD_BYTES));
    for (let at = 0; at + 1 < pairs.length; at += 2) if (!this.give(window, pairs[at + 1], pairs[at])) pairs[at + 1] = 0;
    client.ChangeProperty(REPLACE, window, place, this.atoms.ATOM_PAIR, 32, pairs);
    return pairs.length > 0;
  }

  private give(window: number, place: number, target: number): boolean {
    const { client } = this.connection;
    const { TARGETS, TIMESTAMP, MULTIPLE, INCR } = this.atoms;
    if (this.held === undefined || window === this.connection.root) return false;
    if (target === TARGETS) {
      client.ChangeProperty(REPLACE, window, place, ATOM, 32, [TARGETS, TIMESTAMP, MULTIPLE, ...this.forms.keys()]);
      return true;
    }
    if (target === TIMESTAMP) {
      client.ChangeProperty(REPLACE, window, place, INTEGER, 32, [this.held.since]);
      return true;
    }
    const bytes = this.forms.get(target);
    if (bytes === undefined) return false;
    if (bytes.length <= PIECE_BYTES) {
      client.ChangeProperty(REPLACE, window, place, target, 8, bytes);
      return true;
    }
    const key = `${window}/${place}`;
    this.forget(key);
    if (this.transfers.size === MAX_TRANSFERS) return false;
    client.ChangeWindowAttributes(window, { eventMask: PROPERTY_CHANGE });
    client.ChangeProperty(REPLACE, window, place, INCR, 32, [bytes.length]);
    const timer = setTimeout(() => this.forget(key), PIECE_WITHIN_MS);
    this.transfers.set(key, { type: target, bytes, offset: 0, timer });
    return true;
  }

  private forget(key: string): void {
    clearTimeout(this.transfers.get(key)?.timer);
    this.transfers.delete(key);
  }
}
