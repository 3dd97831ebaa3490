import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Program } from '../../../demo/program.js';
import { portToKeep } from '../../support/processes/service-process.js';

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
    /** Number of its X display. */
    readonly display: number,
    readonly port: number,
  ) {}

  /** Starts on a free X display. `folder` is its home. */
  static async start({ width, height }: ScreenSize, folder: string): Promise<VncServer> {
    const port = await portToKeep();
    // The server closes the descriptor of the number. The next client would get it, and the log with it.
    const command = ['sh', '-c', 'exec "$0" "$@" 3>&2', X_SERVER, '-displayfd', '3', '-rfbport', String(port)];
    const options = ['-SecurityTypes', 'None', '-localhost', '-ac', '-geometry', `${width}x${height}`, '-depth', '24'];
    const program = Program.start(X_SERVER, [...command, ...options], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
    // It prints the number when it takes connections.
    const [, display] = await program.untilPrints(/^(\d+)\n/m);
    return new VncServer(program, Number(display), port);
  }

  async kill(): Promise<void> {
    await this.program.kill();
  }
}
