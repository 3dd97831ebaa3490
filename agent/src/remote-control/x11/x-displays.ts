import type { XEvent } from 'x11';
import type { DesktopDisplay, Displays, Rectangle } from '../platform.js';
import type { XConnection } from './x-connection.js';

const GET_MONITORS = 42;
/** Changes of the screen, of its parts and of what is plugged in. */
const CHANGES = 1 | 2 | 4;
const MAX_MONITORS = 64;
const MONITOR_BYTES = 24;
const HEADER_BYTES = 24;
const STRUCTURE_NOTIFY = 0x20000;

/** A monitor as the server tells it. */
interface Monitor {
  readonly name: number;
  readonly isPrimary: boolean;
  readonly bounds: Rectangle;
}

/** The monitors of RandR; the whole screen where there is no RandR 1.5. */
export class XDisplays implements Displays {
  private readonly listeners: (() => void)[] = [];
  private isTold = false;

  constructor(private readonly connection: XConnection) {
    const { client, root, extensions } = connection;
    const { randr } = extensions;
    randr?.SelectInput(root, CHANGES);
    connection.watchRoot(STRUCTURE_NOTIFY);
    client.on('event', ({ type, name, wid1 }: XEvent) => {
      const isOfRandr = randr !== undefined && (type === randr.firstEvent || type === randr.firstEvent + 1);
      if (isOfRandr || (name === 'ConfigureNotify' && wid1 === root)) this.tell();
    });
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async read(): Promise<readonly DesktopDisplay[]> {
    const { client, root, extensions } = this.connection;
    const { width, height } = await this.connection.ask<{ readonly width: number; readonly height: number }>((reply) =>
      client.GetGeometry(root, reply),
    );
    const screen = { x: 0, y: 0, width, height };
    const monitors = extensions.randr === undefined ? [] : await this.monitors().catch(() => []);
    // Monitors may be larger than the screen for a moment while modes change.
    const shown = monitors.flatMap((monitor) => clipped(monitor, screen));
    if (shown.length === 0) return [{ id: 'screen', name: 'Screen', isPrimary: true, bounds: screen }];
    const primary = Math.max(
      0,
      shown.findIndex(({ isPrimary }) => isPrimary),
    );
    return Promise.all(
      shown.map(async ({ name, bounds }, index) => {
        const text = await this.connection.ask<string>((reply) => client.GetAtomName(name, reply));
        return { id: text, name: text, isPrimary: index === primary, bounds };
      }),
    );
  }

  private async monitors(): Promise<readonly Monitor[]> {
    const { client, root, extensions } = this.connection;
    const request = Buffer.alloc(12);
    request.writeUInt8(extensions.randr?.majorOpcode ?? 0, 0);
    request.writeUInt8(GET_MONITORS, 1);
    request.writeUInt16LE(3, 2);
    request.writeUInt32LE(root, 4);
    // Only monitors that show something.
    request.writeUInt8(1, 8);
    return this.connection.ask<readonly Monitor[]>((reply) => {
      client.seq_num += 1;
      client.pack_stream.put(request);
      client.replies[client.seq_num] = [monitorsOf, reply];
      client.pack_stream.submit(true);
    });
  }

  /** Joins the events of one change. */
  private tell(): void {
    if (this.isTold) return;
    this.isTold = true;
    setTimeout(() => {
      this.isTold = false;
      for (const listener of this.listeners) listener();
    }, 100);
  }
}

/** Reads the answer to GetMonitors, after the 8 bytes that all answers begin with. */
function monitorsOf(bytes: Buffer): readonly Monitor[] {
  const count = Math.min(MAX_MONITORS, bytes.readUInt32LE(4));
  const monitors: Monitor[] = [];
  let at = HEADER_BYTES;
  while (monitors.length < count && at + MONITOR_BYTES <= bytes.length) {
    monitors.push({
      name: bytes.readUInt32LE(at),
      isPrimary: bytes.readUInt8(at + 4) !== 0,
      bounds: {
        x: bytes.readInt16LE(at + 8),
        y: bytes.readInt16LE(at + 10),
        width: bytes.readUInt16LE(at + 12),
        height: bytes.readUInt16LE(at + 14),
      },
    });
    at += MONITOR_BYTES + 4 * bytes.readUInt16LE(at + 6);
  }
  return monitors;
}

function clipped(monitor: Monitor, screen: Rectangle): readonly Monitor[] {
  const { x, y, width, height } = monitor.bounds;
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const right = Math.min(screen.width, x + width);
  const bottom = Math.min(screen.height, y + height);
  if (right <= left || bottom <= top) return [];
  return [{ ...monitor, bounds: { x: left, y: top, width: right - left, height: bottom - top } }];
}
