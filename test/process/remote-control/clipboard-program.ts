import x11, { type XDisplay, type XEvent, type XProperty } from 'x11';

import { eventually } from '../../support/eventually.js';

const PROPERTY_CHANGE = 0x400000;
const ATOM = 4;
const PIECE_BYTES = 50_000;

/** The way in which a program gives its text: in one property, in pieces, or not at all. */
type Giving = 'at once' | 'in pieces' | 'never';

/** The clipboard of a program: bytes by the name of their form. */
type Forms = Readonly<Record<string, Buffer>>;

/** A program on the desktop that copies and pastes, with a connection of its own. */
export class ClipboardProgram {
  private forms: Forms = {};
  private giving: Giving = 'at once';
  private readonly names = new Map<string, number>();
  private readonly pieces = new Map<string, { readonly type: number; rest: Buffer }>();
  private readonly window: number;
  /** Forms that others have asked for. */
  readonly asked: string[] = [];
  private readonly events: XEvent[] = [];

  private constructor(private readonly display: XDisplay) {
    const { client, screen } = display;
    // Those of another X server are others.
    client.atoms = {};
    this.window = client.AllocID();
    client.CreateWindow(this.window, screen[0].root, 0, 0, 1, 1, 0, 0, 2, 0, { eventMask: PROPERTY_CHANGE });
    client.on('error', () => undefined);
    client.on('event', (event: XEvent) => {
      this.events.push(event);
      if (event.name === 'SelectionRequest') void this.give(event);
      if (event.name === 'PropertyNotify' && event.state === 1) this.givePiece(Number(event.wid), Number(event.atom));
    });
  }

  static async connect(display: string): Promise<ClipboardProgram> {
    return new Promise((resolve, reject) => {
      x11.createClient({ display }, (error, connected) => {
        if (error == null) resolve(new ClipboardProgram(connected));
        else reject(error);
      });
    });
  }

  /** Copies a text. */
  async copy(text: string, giving: Giving = 'at once'): Promise<void> {
    await this.own('CLIPBOARD', { UTF8_STRING: Buffer.from(text) }, giving);
  }

  /** Takes a selection, with these forms. */
  async own(selection: string, forms: Forms, giving: Giving = 'at once'): Promise<void> {
    this.forms = forms;
    this.giving = giving;
    const { client } = this.display;
    client.SetSelectionOwner(this.window, await this.atom(selection), 0);
    const owner = await this.ask<number>(async (reply) => client.GetSelectionOwner(await this.atom(selection), reply));
    if (owner !== this.window) throw new Error('Another program has taken the selection.');
  }

  /** Pastes: the bytes of a form, and the type that they were given with; undefined if the owner does not have it. */
  async paste(form: string): Promise<{ readonly bytes: Buffer; readonly type: string; readonly pieces: number } | undefined> {
    const { client } = this.display;
    const property = await this.atom('TEST_PASTE');
    const incr = await this.atom('INCR');
    this.events.length = 0;
    client.ConvertSelection(this.window, await this.atom('CLIPBOARD'), await this.atom(form), property, 0);
    const answer = await this.event((event) => event.name === 'SelectionNotify' && event.requestor === this.window);
    if (answer.property === 0) return undefined;
    this.events.length = 0;
    const first = await this.property(property);
    if (first.type !== incr) return { bytes: Buffer.from(first.data), type: await this.nameOf(first.type), pieces: 1 };
    const parts: Buffer[] = [];
    for (;;) {
      await this.event((event) => event.name === 'PropertyNotify' && event.state === 0 && event.atom === property);
      const piece = await this.property(property);
      if (piece.data.length === 0) return { bytes: Buffer.concat(parts), type: await this.nameOf(piece.type), pieces: parts.length };
      parts.push(Buffer.from(piece.data));
    }
  }

  /** Pastes a text. */
  async text(form = 'UTF8_STRING'): Promise<string | undefined> {
    return (await this.paste(form))?.bytes.toString();
  }

  /** The forms that the owner of the clipboard has. */
  async targets(): Promise<readonly string[]> {
    const bytes = (await this.paste('TARGETS'))?.bytes ?? Buffer.alloc(0);
    const atoms = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
    return Promise.all(atoms.map(async (atom) => this.nameOf(atom)));
  }

  /** Takes all keys. */
  async grabKeys(): Promise<void> {
    const { client, screen } = this.display;
    const status = await this.ask<number>((reply) => client.GrabKeyboard(screen[0].root, 0, 0, 1, 1, reply));
    if (status !== 0) throw new Error('Another program has the keyboard.');
  }

  /** The order in which a key was pressed and this program lost its selection. */
  get lossesAndKeys(): readonly string[] {
    return this.events.map(({ name }) => name).filter((name) => name === 'SelectionClear' || name === 'KeyPress');
  }

  /** Waits until another program asks for a form, as clipboard managers are asked for theirs. */
  async wasAsked(form: string): Promise<void> {
    await eventually(`another program has asked for ${form}`, () => this.asked.includes(form));
  }

  disconnect(): void {
    this.display.client.terminate();
  }

  private async give({ requestor, selection, target, property, time }: XEvent): Promise<void> {
    const { client } = this.display;
    const form = await this.nameOf(Number(target));
    this.asked.push(form);
    if (this.giving === 'never') return;
    const [window, place] = [Number(requestor), Number(property)];
    const bytes = this.forms[form];
    let given = place;
    if (form === 'TARGETS') {
      const atoms = await Promise.all(['TARGETS', ...Object.keys(this.forms)].map(async (name) => this.atom(name)));
      client.ChangeProperty(0, window, place, ATOM, 32, atoms);
    } else if (bytes === undefined) given = 0;
    else if (this.giving === 'at once') this.put(window, place, Number(target), bytes);
    else {
      client.ChangeWindowAttributes(window, { eventMask: PROPERTY_CHANGE });
      this.pieces.set(`${window}/${place}`, { type: Number(target), rest: bytes });
      client.ChangeProperty(0, window, place, await this.atom('INCR'), 32, [bytes.length]);
    }
    client.SendEvent(window, 0, 0, {
      name: 'SelectionNotify',
      seq: 0,
      time: Number(time),
      requestor: window,
      selection: Number(selection),
      target: Number(target),
      property: given,
    });
  }

  /** Writes a property as large as its bytes, by requests that the server takes. */
  private put(window: number, place: number, type: number, bytes: Buffer): void {
    this.display.client.ChangeProperty(0, window, place, type, 8, Buffer.alloc(0));
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      this.display.client.ChangeProperty(2, window, place, type, 8, bytes.subarray(at, at + PIECE_BYTES));
  }

  private givePiece(window: number, place: number): void {
    const transfer = this.pieces.get(`${window}/${place}`);
    if (transfer === undefined) return;
    const piece = transfer.rest.subarray(0, PIECE_BYTES);
    transfer.rest = transfer.rest.subarray(PIECE_BYTES);
    this.display.client.ChangeProperty(0, window, place, transfer.type, 8, piece);
    if (piece.length === 0) this.pieces.delete(`${window}/${place}`);
  }

  private async property(name: number): Promise<XProperty> {
    return this.ask<XProperty>((reply) => this.display.client.GetProperty(1, this.window, name, 0, 0, 1_000_000, reply));
  }

  private async event(fits: (event: XEvent) => boolean): Promise<XEvent> {
    let found: XEvent | undefined;
    await eventually('the X server has told what happened', () => {
      const index = this.events.findIndex(fits);
      if (index !== -1) [found] = this.events.splice(index, 1);
      return found !== undefined;
    });
    if (found === undefined) throw new Error('No event has come.');
    return found;
  }

  private async atom(name: string): Promise<number> {
    const known = this.names.get(name) ?? (await this.ask<number>((reply) => this.display.client.InternAtom(false, name, reply)));
    this.names.set(name, known);
    return known;
  }

  private async nameOf(atom: number): Promise<string> {
    return this.ask<string>((reply) => this.display.client.GetAtomName(atom, reply));
  }

  private async ask<T>(request: (reply: (error: Error | null | undefined, value: T) => boolean) => unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      void request((error, value) => {
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
  }
}
