/** The part of the package `x11` that the agent uses. The package has no types of its own. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';

  /** Takes the answer to a request. Returning true says that the error was dealt with. */
  type Reply<T> = (error: XError | null | undefined, value: T) => boolean | undefined;

  interface XError extends Error {
    /** The code of the error in the protocol. */
    readonly error?: number;
  }

  interface XEvent {
    readonly name?: string;
    readonly type: number;
    readonly [member: string]: unknown;
  }

  interface XVisual {
    readonly class: number;
    readonly red_mask: number;
    readonly green_mask: number;
    readonly blue_mask: number;
  }

  interface XScreen {
    readonly root: number;
    readonly root_visual: number;
    readonly root_depth: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
    readonly white_pixel: number;
    readonly black_pixel: number;
    readonly depths: Readonly<Record<number, Readonly<Record<number, XVisual>>>>;
  }

  interface XDisplay {
    readonly screen: readonly XScreen[];
    readonly client: XClient;
    readonly min_keycode: number;
    readonly max_keycode: number;
    readonly image_byte_order: number;
    readonly format: Readonly<Record<number, { readonly bits_per_pixel: number } | undefined>>;
  }

  interface XImage {
    readonly depth: number;
    readonly data: Buffer;
  }

  interface XColour {
    readonly R: number;
    readonly G: number;
    readonly B: number;
  }

  interface XProperty {
    readonly type: number;
    readonly bytesAfter: number;
    readonly data: Buffer;
  }

  interface XClient extends EventEmitter {
    readonly stream: NodeJS.ReadWriteStream & { destroy(): void; readonly destroyed: boolean };
    seq_num: number;
    /** Known atoms by their names. At first this is one object for all clients, whatever their server. */
    atoms: Record<string, number>;
    readonly replies: Record<number, [read: (bytes: Buffer, detail: number) => unknown, reply: Reply<never>]>;
    readonly pack_stream: { put(bytes: Buffer): void; submit(expectsReply?: boolean): void };
    AllocID(): number;
    terminate(): void;
    sync(reply: (error: Error | null) => void): void;
    close(done: (error?: Error) => void): void;
    require(name: 'damage', done: (error: Error | null, extension: XDamage) => void): void;
    require(name: 'fixes', done: (error: Error | null, extension: XFixes) => void): void;
    require(name: 'shm', done: (error: Error | null, extension: XShm) => void): void;
    require(name: 'xtest', done: (error: Error | null, extension: XTest) => void): void;
    require(name: 'randr', done: (error: Error | null, extension: XRandr) => void): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      reply: Reply<XImage>,
    ): void;
    CreateGC(id: number, drawable: number, values: Readonly<Record<string, number>>): void;
    CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
    CreateCursor(id: number, source: number, mask: number, front: XColour, back: XColour, x: number, y: number): void;
    PolyFillRectangle(drawable: number, context: number, rectangles: readonly number[]): void;
    OpenFont(id: number, name: string, reply: Reply<unknown>): void;
    QueryTextExtents(
      font: number,
      text: string,
      reply: Reply<{ readonly overallWidth: number; readonly fontAscent: number; readonly fontDescent: number }>,
    ): void;
    ImageText16(drawable: number, context: number, x: number, y: number, text: string): void;
    MapWindow(window: number): void;
    RaiseWindow(window: number): void;
    DestroyWindow(window: number): void;
    PutImage(
      format: number,
      drawable: number,
      context: number,
      width: number,
      height: number,
      x: number,
      y: number,
      leftPad: number,
      depth: number,
      pixels: Buffer,
    ): void;
    GetGeometry(drawable: number, reply: Reply<{ readonly width: number; readonly height: number; readonly yPos: number }>): void;
    QueryTree(window: number, reply: Reply<{ readonly children: readonly number[] }>): void;
    GetWindowAttributes(window: number, reply: Reply<{ readonly mapState: number; readonly overrideRedirect: number }>): void;
    QueryPointer(window: number, reply: Reply<{ readonly keyMask: number; readonly rootX: number; readonly rootY: number }>): void;
    QueryKeymap(reply: Reply<Buffer | readonly number[]>): void;
    GetKeyboardMapping(first: number, count: number, reply: Reply<readonly (readonly number[])[]>): void;
    ChangeKeyboardMapping(first: number, symbolsPerKey: number, symbols: readonly number[]): void;
    ChangeWindowAttributes(window: number, values: Readonly<Record<string, number>>): void;
    ChangeProperty(mode: number, window: number, name: number, type: number, bits: number, data: Buffer | readonly number[]): void;
    GetProperty(isDeleted: 0 | 1, window: number, name: number, type: number, offset: number, words: number, reply: Reply<XProperty>): void;
    SetSelectionOwner(owner: number, selection: number, time: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    GrabKeyboard(window: number, ownerEvents: number, time: number, pointerMode: number, keyboardMode: number, reply: Reply<number>): void;
    ConvertSelection(requestor: number, selection: number, target: number, property: number, time: number): void;
    SendEvent(window: number, propagates: 0 | 1, mask: number, event: Readonly<Record<string, string | number>>): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    GetAtomName(atom: number, reply: Reply<string>): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      border: number,
      depth: number,
      kind: number,
      visual: number,
      values: Readonly<Record<string, number | boolean>>,
    ): void;
  }

  interface XRectangle {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }

  interface XDamage {
    readonly ReportLevel: { readonly NonEmpty: number };
    Create(damage: number, drawable: number, level: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
  }

  interface XCursorImage {
    readonly width: number;
    readonly height: number;
    readonly xhot: number;
    readonly yhot: number;
    readonly cursorSerial: number;
    readonly cursorImage: Buffer;
    readonly x: number;
    readonly y: number;
  }

  interface XFixes {
    CreateRegion(region: number, rectangles: readonly XRectangle[]): void;
    FetchRegion(region: number, reply: Reply<{ readonly rectangles: readonly XRectangle[] }>): void;
    SelectCursorInput(window: number, mask: number): void;
    SelectSelectionInput(window: number, selection: number, mask: number): void;
    GetCursorImage(reply: Reply<XCursorImage>): void;
  }

  interface XShmSegment {
    readonly buffer: Buffer;
    readonly shmseg: number;
    readback(offset: number, length: number): void;
    detach(done?: () => void): void;
  }

  interface XShm {
    usable(done: (error: Error | null, isUsable: boolean) => void): void;
    createSegment(bytes: number, done: (error: Error | null, segment: XShmSegment) => void): void;
    GetImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      format: number,
      segment: number,
      offset: number,
      reply: Reply<{ readonly size: number }>,
    ): void;
  }

  interface XTest {
    FakeInput(type: number, detail: number, delay: number, window: number, x: number, y: number): void;
  }

  interface XRandr {
    readonly majorOpcode: number;
    readonly firstEvent: number;
    readonly major_version?: number;
    SelectInput(window: number, mask: number): void;
  }

  interface ClientOptions {
    readonly display?: string;
    readonly disableBigRequests?: boolean;
  }

  function createClient(options: ClientOptions, done: (error: Error | null | undefined, display: XDisplay) => void): XClient;
}
