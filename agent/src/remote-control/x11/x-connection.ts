import { createRequire } from 'node:module';
import x11, { type XClient, type XDamage, type XDisplay, type XFixes, type XRandr, type XScreen, type XShm, type XTest } from 'x11';
import { RefusedError } from '../../failures.js';

const require = createRequire(import.meta.url);
/** An X server that is stuck does not answer. */
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const TRUE_COLOR = 4;
/** Events of the root window's children. */
export const SUBSTRUCTURE_NOTIFY = 0x80000;

/**
 * Loads the parts of the package that it would load when they are first used. The account whose rights the process gets need not be able
 * to read the folder of the agent.
 */
export function loadAll(): void {
  for (const part of [
    'auth',
    'fdpass',
    'shm-provider',
    'keysyms',
    'ext/big-requests',
    'ext/damage',
    'ext/fixes',
    'ext/shm',
    'ext/xtest',
    'ext/randr',
  ])
    require(`x11/lib/${part}`);
}

/** An X server that does not take the connection. */
export class KeptOutError extends RefusedError {}

/** The extensions that sessions use. Those without which there is no session are never missing. */
interface Extensions {
  readonly damage: XDamage;
  readonly fixes: XFixes;
  readonly test: XTest;
  readonly shm: XShm | undefined;
  readonly randr: XRandr | undefined;
}

/** A connection to an X server whose screen can be shown. */
export class XConnection {
  private readonly lost: (() => void)[] = [];
  /** Ends the waits for answers. */
  private readonly waiting = new Set<() => void>();
  private isClosing = false;
  private rootEvents = 0;

  private constructor(
    readonly client: XClient,
    readonly display: XDisplay,
    readonly screen: XScreen,
    readonly extensions: Extensions,
    /** Is told what the X server complains about. */
    log: (line: string) => void,
  ) {
    // An error of one request, such as one for a window that has just gone, does not end the session.
    client.on('error', (error: Error) => log(`X server: ${error.message}`));
    client.stream.on('close', () => this.onEnd());
    client.on('end', () => this.onEnd());
  }

  /**
   * Connects to the display that the environment names.
   * @throws RefusedError when it cannot be reached, or cannot be shown
   */
  static async open(name: string, log: (line: string) => void): Promise<XConnection> {
    const { client, display } = await connect(name);
    try {
      const screen = screenOf(display, name);
      return new XConnection(client, display, screen, await extensionsOf(client, name), log);
    } catch (error) {
      client.on('error', () => undefined);
      client.stream.destroy();
      throw error;
    }
  }

  /** True once the connection has ended, or is ending. */
  get isOver(): boolean {
    return this.isClosing;
  }

  get root(): number {
    return this.screen.root;
  }

  /** Has the server send these events of the root window besides those that were asked for before. */
  watchRoot(eventMask: number): void {
    this.rootEvents |= eventMask;
    this.client.ChangeWindowAttributes(this.root, { eventMask: this.rootEvents });
  }

  /** Calls the listener when the X server has ended. */
  onLost(listener: () => void): void {
    this.lost.push(listener);
  }

  /** Asks the server something, and returns its answer. */
  async ask<T>(request: (reply: (error: Error | null | undefined, value: T) => boolean) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const failed = (): void => reject(new Error('The X server has ended.'));
      if (this.isClosing) return failed();
      this.waiting.add(failed);
      request((error, value) => {
        this.waiting.delete(failed);
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
  }

  /** Sends everything that was asked for, and disconnects. */
  async close(): Promise<void> {
    if (this.isClosing || this.client.stream.destroyed) return;
    this.isClosing = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.client.stream.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.client.close(() => undefined);
    });
    this.client.stream.destroy();
    this.endWaits();
  }

  private onEnd(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.client.stream.destroy();
    this.endWaits();
    for (const listener of this.lost) listener();
  }

  private endWaits(): void {
    for (const failed of this.waiting) failed();
  }
}

async function connect(name: string): Promise<{ readonly client: XClient; readonly display: XDisplay }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RefusedError(`The X server of display ${name} does not answer.`)), CONNECT_TIMEOUT_MS);
    // A large request is not needed, and some servers lack the extension for it.
    const client = x11.createClient({ display: name, disableBigRequests: true }, (error, display) => {
      clearTimeout(timer);
      if (error == null) resolve({ client, display });
      else reject(unreachable(name, error));
    });
    client.once('error', (error: Error) => {
      clearTimeout(timer);
      reject(unreachable(name, error));
    });
  });
}

function unreachable(name: string, error: Error): KeptOutError {
  return new KeptOutError(
    `Display ${name} of the device cannot be reached. It may belong to another account than the one of the agent. (${error.message.trim()})`,
  );
}

/** The screen, if its pixels are the kind that sessions show: 8 bits each of blue, green and red in 4 bytes. */
function screenOf(display: XDisplay, name: string): XScreen {
  const [screen] = display.screen;
  if (screen === undefined) throw new RefusedError(`Display ${name} of the device has no screen.`);
  const depth = screen.root_depth;
  const visual = screen.depths[depth]?.[screen.root_visual];
  const isShown =
    depth === 24 &&
    display.format[depth]?.bits_per_pixel === 32 &&
    display.image_byte_order === 0 &&
    visual?.class === TRUE_COLOR &&
    visual.red_mask === 0xff0000 &&
    visual.blue_mask === 0xff;
  if (isShown) return screen;
  throw new RefusedError(
    `Display ${name} of the device has a colour depth of ${depth} bits. Only displays with 24 bits in the usual order can be shown.`,
  );
}

async function extensionsOf(client: XClient, name: string): Promise<Extensions> {
  const [damage, fixes, test, shm, randr] = await Promise.all([
    optional<XDamage>((done) => client.require('damage', done)),
    optional<XFixes>((done) => client.require('fixes', done)),
    optional<XTest>((done) => client.require('xtest', done)),
    optional<XShm>((done) => client.require('shm', done)),
    optional<XRandr>((done) => client.require('randr', done)),
  ]);
  const missing = Object.entries({ DAMAGE: damage, XFIXES: fixes, XTEST: test }).flatMap(([key, value]) =>
    value === undefined ? key : [],
  );
  if (damage === undefined || fixes === undefined || test === undefined) {
    throw new RefusedError(`The X server of display ${name} lacks what sessions need: ${missing.join(', ')}.`);
  }
  return { damage, fixes, test, shm, randr };
}

async function optional<T>(load: (done: (error: Error | null, extension: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => load((error, extension) => resolve(error === null ? extension : undefined)));
}
