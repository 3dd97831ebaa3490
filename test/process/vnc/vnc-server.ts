import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

import { Program } from '../../../demo/program.js';

const X_SERVER = 'Xtigervnc';

/** True if tests can start a VNC server on this machine. */
export const hasVncServer = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, X_SERVER)));

/** Reason in the title of a skipped suite. */
export const WITHOUT_VNC_SERVER = `skipped: there is no ${X_SERVER}; apt-get install tigervnc-standalone-server`;

/** The size of a screen in pixels. */
export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** An X server whose screen is shown by VNC only, without a password, to this machine. */
export class VncServer {
  private constructor(
    readonly program: Program,
    readonly port: number,
  ) {}

  /** Starts on the X display with that number, which nobody else may use. `folder` is its home. */
  static async start(display: number, { width, height }: ScreenSize, folder: string): Promise<VncServer> {
    const port = await freePort();
    const command = [X_SERVER, `:${display}`, '-SecurityTypes', 'None', '-localhost', '-ac', '-rfbport', String(port)];
    const program = Program.start(X_SERVER, [...command, '-geometry', `${width}x${height}`, '-depth', '24'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    await program.untilPrints(/Listening for VNC connections/);
    return new VncServer(program, port);
  }

  async kill(): Promise<void> {
    await this.program.kill();
  }
}

/** A port of this machine on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
