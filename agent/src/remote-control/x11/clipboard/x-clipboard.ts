import { setTimeout as delay } from 'node:timers/promises';
import type { XEvent } from 'x11';
import { RefusedError } from '../../../failures.js';
import type { Clipboard } from '../../platform.js';
import type { XConnection } from '../x-connection.js';
import { ATOM, readAtoms, STRING, type Atoms } from './atoms.js';
import { HiddenWindow } from './hidden-window.js';
import { SelectionOwner } from './selection-owner.js';
import { SelectionReader } from './selection-reader.js';

/** The clipboard has another owner, or its owner has gone. */
const CHANGES = 1 | 2 | 4;
const REPLACE = 0;
const APPEND = 2;
const NOBODY = 0;
/** Time for the answer of the server, and for that of a clipboard manager. */
const ANSWER_MS = 2_000;

/** The selection CLIPBOARD of an X server. */
export class XClipboard implements Clipboard {
  private readonly listeners: (() => void)[] = [];
  private readonly reader: SelectionReader;
  private readonly owner: SelectionOwner;

  private constructor(
    private readonly connection: XConnection,
    private readonly atoms: Atoms,
    private readonly window: HiddenWindow,
  ) {
    const { client, extensions } = connection;
    this.reader = new SelectionReader(connection, atoms);
    this.owner = new SelectionOwner(connection, atoms);
    extensions.fixes.SelectSelectionInput(window.id, atoms.CLIPBOARD, CHANGES);
    client.on('event', (event: XEvent) => this.take(event));
  }

  static async start(connection: XConnection): Promise<XClipboard> {
    return new XClipboard(connection, await readAtoms(connection), new HiddenWindow(connection));
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async read(mostBytes: number): Promise<string | undefined> {
    const holder = await this.holder();
    if (holder === NOBODY) return undefined;
    return holder === this.window.id ? this.owner.text : this.reader.read(mostBytes);
  }

  async write(text: string): Promise<void> {
    const { client } = this.connection;
    const time = await this.time();
    this.owner.hold(text, time);
    client.SetSelectionOwner(this.window.id, this.atoms.CLIPBOARD, time);
    if ((await this.holder()) !== this.window.id) throw new RefusedError('Another program of the device keeps the clipboard.');
    // What had been lost before was told late.
    this.owner.hold(text, time);
  }

  /** Leaves the text to the clipboard manager of the desktop, where there is one. Without one it is gone. */
  async close(): Promise<void> {
    const { client, isOver } = this.connection;
    const { CLIPBOARD_MANAGER: manager, SAVE_TARGETS, _DEVICE_AGENT: property } = this.atoms;
    if (this.owner.text === undefined || isOver) return;
    try {
      const asked = this.connection.ask<number>((reply) => client.GetSelectionOwner(manager, reply));
      // An X server that is stuck holds up no end of a session.
      const holder = await Promise.race([asked, delay(ANSWER_MS, NOBODY, { ref: false })]);
      if (holder === NOBODY) return;
      this.window.listen();
      client.ChangeProperty(REPLACE, this.window.id, property, ATOM, 32, [...this.owner.forms.keys()]);
      client.ConvertSelection(this.window.id, manager, SAVE_TARGETS, property, 0);
      await this.window.next(({ selection, requestor }) => selection === manager && requestor === this.window.id, ANSWER_MS);
    } catch {
      // The X server has ended.
    } finally {
      this.window.ignore();
      this.owner.stop();
    }
  }

  private take(event: XEvent): void {
    if (event.name === 'PropertyNotify') return this.owner.taken(event);
    if (event.selection !== this.atoms.CLIPBOARD) return;
    // A program that has gone needs no answer.
    if (event.name === 'SelectionRequest') this.owner.answer(event).catch(() => undefined);
    if (event.name === 'SelectionClear') this.owner.lose();
    // The event of XFixes, which tells who has it now.
    if (event.name === 'SelectionNotify' && event.window === this.window.id && event.owner !== this.window.id && event.owner !== NOBODY)
      for (const listener of this.listeners) listener();
  }

  private async holder(): Promise<number> {
    return this.connection.ask<number>((reply) => this.connection.client.GetSelectionOwner(this.atoms.CLIPBOARD, reply));
  }

  /** The time of the server. A change of a property tells it. */
  private async time(): Promise<number> {
    this.window.listen();
    try {
      this.connection.client.ChangeProperty(APPEND, this.window.id, this.atoms.TIMESTAMP, STRING, 8, []);
      const event = await this.window.next(({ name }) => name === 'PropertyNotify', ANSWER_MS);
      return Number(event?.time ?? 0);
    } finally {
      this.window.ignore();
    }
  }
}
