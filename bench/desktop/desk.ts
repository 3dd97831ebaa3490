import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program } from '../../demo/program.js';
import { deviceIdOf } from '../harness/database.js';
import { ReferenceAgent } from '../harness/reference-agent.js';
import { Stage } from '../web/stage.js';
import { VNC_SERVER } from './desktop-bench.js';
import { DesktopPage, VncPage } from './desktop-page.js';
import { XScreen } from './x-screen.js';

const DEVICE_ID = deviceIdOf(0);
/** The ports on which the agent looks for VNC servers. */
const FIRST_VNC_PORT = 5900;
const LAST_VNC_PORT = 5909;

/** The service, a browser with its front end, and a device: the reference agent beside an X server. */
export class Desk {
  private constructor(
    private readonly stage: Stage,
    readonly screen: XScreen,
    readonly agent: ReferenceAgent,
  ) {}

  /** Sets up everything, runs `act`, and always cleans up. */
  static play<T>(act: (desk: Desk) => Promise<T>): Promise<T> {
    return Stage.play(1, async (stage) => {
      const folder = await mkdtemp(join(tmpdir(), 'bench-desktop-'));
      try {
        const screen = await XScreen.start();
        try {
          const agent = await ReferenceAgent.start(stage.service, stage.fleet, DEVICE_ID, folder);
          try {
            return await act(new Desk(stage, screen, agent));
          } finally {
            await agent.stop();
          }
        } finally {
          await screen.stop();
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** Opens the desktop in a window of the browser, runs `act`, and ends the session. */
  async withDesktop<T>(act: (page: DesktopPage) => Promise<T>): Promise<T> {
    const page = await DesktopPage.open(this.stage, DEVICE_ID, this.screen.server.processId);
    try {
      return await act(page);
    } finally {
      await page.close();
      await this.untilNoSession();
    }
  }

  /** The same by VNC, through a server that grabs the screen. */
  async withVnc<T>(server: VncServer, act: (page: VncPage) => Promise<T>): Promise<T> {
    const page = await VncPage.open(this.stage, DEVICE_ID, server.port);
    try {
      return await act(page);
    } finally {
      await page.close();
    }
  }

  /** The process of the session that is open. */
  async sessionProcess(): Promise<number> {
    const [first] = await this.sessionProcesses();
    if (first === undefined) throw new Error('No session is open.');
    return first;
  }

  private async untilNoSession(): Promise<void> {
    const deadline = performance.now() + 30_000;
    while ((await this.sessionProcesses()).length > 0) {
      if (performance.now() > deadline) throw new Error('The session did not end.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private async sessionProcesses(): Promise<number[]> {
    const found: number[] = [];
    for (const thread of await readdir(`/proc/${this.agent.pid}/task`)) {
      const children = await readFile(`/proc/${this.agent.pid}/task/${thread}/children`, 'utf8');
      for (const child of children.split(' ').filter((id) => id !== '')) {
        const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
        if (command.includes('session-program')) found.push(Number(child));
      }
    }
    return found;
  }
}

/** TigerVNC's server that grabs the screen of an X server. */
export class VncServer {
  private constructor(
    private readonly program: Program,
    readonly port: number,
  ) {}

  static async start(screen: XScreen): Promise<VncServer> {
    const port = await freeVncPort();
    const command = [VNC_SERVER, '-display', screen.server.name, '-rfbport', String(port), '-SecurityTypes', 'None', '-localhost'];
    const program = Program.start(VNC_SERVER, command, { cwd: tmpdir(), env: { PATH: process.env.PATH, HOME: tmpdir() } });
    await program.untilPrints(/Listening for VNC connections/);
    return new VncServer(program, port);
  }

  get pid(): number {
    return this.program.pid;
  }

  async stop(): Promise<void> {
    await this.program.stop();
  }
}

async function freeVncPort(): Promise<number> {
  for (let port = LAST_VNC_PORT; port >= FIRST_VNC_PORT; port -= 1) if (await isFree(port)) return port;
  throw new Error(`A program listens on each of the ports ${FIRST_VNC_PORT} to ${LAST_VNC_PORT}.`);
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      const isWanted = (probe.address() as AddressInfo).port === port;
      probe.close(() => resolve(isWanted));
    });
  });
}
