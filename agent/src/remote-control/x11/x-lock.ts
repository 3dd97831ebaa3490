import type { XEvent, XProperty } from 'x11';
import type { ScreenLock } from '../platform.js';
import type { LoginLock } from './login-lock.js';
import { SUBSTRUCTURE_NOTIFY, type XConnection } from './x-connection.js';

const PROPERTY_CHANGE = 0x400000;
const WM_CLASS = 67;
const IS_VIEWABLE = 2;
const CLASS_WORDS = 64;
/** Windows of this class are there only while the screen is locked. */
const LOCKER = 'i3lock';
/** Windows of this class cover the screen when it is only blank, too. The property on the root window says which it is. */
const SAVER = 'XScreenSaver';

/**
 * Knows that the screen is locked, as far as programs tell it: i3lock by its window, XScreenSaver by its window and its property, and those
 * that tell the login manager. The X server itself knows nothing of it: a screen saver that is active need not ask for a password.
 */
export class XLock implements ScreenLock {
  private readonly lockers = new Set<number>();
  private readonly savers = new Set<number>();
  private readonly listeners: (() => void)[] = [];
  private isSaverLocked = false;
  private wasLocked = false;

  private constructor(
    private readonly connection: XConnection,
    private readonly login: LoginLock,
    private readonly status: number,
    private readonly lock: number,
  ) {
    const { client, root } = connection;
    connection.watchRoot(SUBSTRUCTURE_NOTIFY | PROPERTY_CHANGE);
    client.on('event', (event: XEvent) => {
      if (event.name === 'MapNotify' && event.event === root && event.overrideRedirect === true) void this.add(Number(event.wid));
      else if (event.name === 'UnmapNotify' && event.event === root) this.remove(Number(event.wid));
      else if (event.name === 'PropertyNotify' && event.wid === root && event.atom === status) void this.readStatus();
    });
    login.onChange(() => this.tell());
  }

  static async start(connection: XConnection, login: LoginLock): Promise<XLock> {
    const atom = async (name: string): Promise<number> =>
      connection.ask<number>((reply) => connection.client.InternAtom(false, name, reply));
    const lock = new XLock(connection, login, await atom('_SCREENSAVER_STATUS'), await atom('LOCK'));
    await Promise.all([lock.findWindows(), lock.readStatus(), login.read()]);
    lock.wasLocked = lock.isLocked;
    return lock;
  }

  get isLocked(): boolean {
    return this.lockers.size > 0 || (this.savers.size > 0 && this.isSaverLocked) || this.login.isLocked;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    if (this.isLocked === this.wasLocked) return;
    this.wasLocked = this.isLocked;
    for (const listener of this.listeners) listener();
  }

  private async findWindows(): Promise<void> {
    const { client, root } = this.connection;
    const { children } = await this.connection.ask<{ readonly children: readonly number[] }>((reply) => client.QueryTree(root, reply));
    await Promise.all(
      children.map(async (window) => {
        const attributes = await this.ofWindow<{ readonly mapState: number; readonly overrideRedirect: number }>((reply) =>
          client.GetWindowAttributes(window, reply),
        );
        if (attributes?.mapState === IS_VIEWABLE && attributes.overrideRedirect === 1) await this.add(window);
      }),
    );
  }

  private async add(window: number): Promise<void> {
    const { client } = this.connection;
    const property = await this.ofWindow<XProperty>((reply) => client.GetProperty(0, window, WM_CLASS, 0, 0, CLASS_WORDS, reply));
    const names = property?.data.toString('latin1').split('\0') ?? [];
    if (names.includes(LOCKER)) this.lockers.add(window);
    else if (names.includes(SAVER)) this.savers.add(window);
    this.tell();
  }

  private remove(window: number): void {
    this.lockers.delete(window);
    this.savers.delete(window);
    this.tell();
  }

  private async readStatus(): Promise<void> {
    const { client, root } = this.connection;
    const property = await this.ofWindow<XProperty>((reply) => client.GetProperty(0, root, this.status, 0, 0, 1, reply));
    this.isSaverLocked = property !== undefined && property.data.length >= 4 && property.data.readUInt32LE(0) === this.lock;
    this.tell();
  }

  /** Asks for something of a window; undefined if that, or the X server, has gone. */
  private async ofWindow<T>(request: (reply: (error: Error | null | undefined, value: T) => boolean) => void): Promise<T | undefined> {
    try {
      return await this.connection.ask<T>(request);
    } catch {
      // The session learns of the end of the X server by itself.
      return undefined;
    }
  }
}
