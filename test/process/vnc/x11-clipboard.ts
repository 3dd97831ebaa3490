import { words, XConnection } from './x11-connection.js';

/*
 * A program with something in the clipboard, as the X11 protocol has it: the program that copies owns a selection, and the one that pastes
 * asks the owner.
 */

const Request = { CreateWindow: 1, ChangeProperty: 18, GetProperty: 20, SetSelectionOwner: 22, ConvertSelection: 24, SendEvent: 25 };
const Event = { SelectionRequest: 30, SelectionNotify: 31 };
const ATOM = 4;
const NOTHING = 0;
const NOW = 0;
const MOST_WORDS = 1024;

interface Atoms {
  readonly clipboard: number;
  readonly targets: number;
  readonly text: number;
  readonly pasted: number;
}

/** The clipboard of the display with that number. */
export class XClipboard {
  private readonly window: number;
  private copied = '';
  private onPasted: ((property: number) => void) | undefined;

  private constructor(
    private readonly server: XConnection,
    private readonly atoms: Atoms,
  ) {
    this.window = server.newId();
    const create = words(this.window, server.root, 0, 0, 0, 0, 0);
    // Of one pixel, and never shown.
    create.writeUInt16LE(1, 12);
    create.writeUInt16LE(1, 14);
    server.send(Request.CreateWindow, create);
    server.onEvent((kind, event) => {
      if (kind === Event.SelectionRequest) this.answer(event);
      if (kind === Event.SelectionNotify) this.onPasted?.(event.readUInt32LE(20));
    });
  }

  static async open(display: number): Promise<XClipboard> {
    const server = await XConnection.open(display);
    return new XClipboard(server, {
      clipboard: await server.atom('CLIPBOARD'),
      targets: await server.atom('TARGETS'),
      text: await server.atom('UTF8_STRING'),
      pasted: await server.atom('PASTED'),
    });
  }

  /** Puts a text into the clipboard. */
  copy(text: string): void {
    this.copied = text;
    this.server.send(Request.SetSelectionOwner, words(this.window, this.atoms.clipboard, NOW));
  }

  /** The text in the clipboard; null when it is empty. */
  async paste(): Promise<string | null> {
    const { clipboard, text, pasted } = this.atoms;
    const property = await new Promise<number>((resolve) => {
      this.onPasted = resolve;
      this.server.send(Request.ConvertSelection, words(this.window, clipboard, text, pasted, NOW));
    });
    if (property === NOTHING) return null;
    const reply = await this.server.ask(Request.GetProperty, words(this.window, property, NOTHING, 0, MOST_WORDS));
    return reply.subarray(32, 32 + reply.readUInt32LE(16)).toString('utf8');
  }

  close(): void {
    this.server.close();
  }

  /** Answers a paste with the text, or with the list of the types that can be asked for. */
  private answer(request: Buffer): void {
    const { targets, text } = this.atoms;
    const [time, , requestor, selection, target, property] = [4, 8, 12, 16, 20, 24].map((at) => request.readUInt32LE(at));
    if (target === targets) this.change(requestor, property, ATOM, 32, words(targets, text));
    else if (target === text) this.change(requestor, property, text, 8, Buffer.from(this.copied));
    const given = target === targets || target === text ? property : NOTHING;
    const notify = Buffer.concat([Buffer.from([Event.SelectionNotify, 0, 0, 0]), words(time, requestor, selection, target, given, 0, 0)]);
    this.server.send(Request.SendEvent, Buffer.concat([words(requestor, 0), notify]));
  }

  private change(window: number, property: number, type: number, format: 8 | 32, value: Buffer): void {
    const head = words(window, property, type, format, (value.length * 8) / format);
    this.server.send(Request.ChangeProperty, Buffer.concat([head, value]));
  }
}
