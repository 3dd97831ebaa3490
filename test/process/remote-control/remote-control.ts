import { spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'vitest';

import { viewerHub, type HubResult } from '#libs/contracts';
import type { KeyEvent } from '#libs/desktop-stream';

import { Program } from '../../../demo/program.js';
import { plainEnvironment } from '../../../demo/service.js';
import { Agent } from '../../../agent/src/agent.js';
import { dataDirectory } from '../../../agent/src/data-directory.js';
import { XServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { MemoryLog } from '../../../agent/src/hub-stub.fixture.js';
import { install } from '../../../agent/src/service/installation.js';
import { newMeeting, RelayPeer, relayUri, type Meeting } from '../../hubs/relay-peer.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { enrol } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { Machine } from '../../support/processes/service-process.js';
import { DesktopViewer, SETTINGS } from './desktop-viewer.js';
import { ended, Screen } from './screen.js';

const TYPESCRIPT = ['--import', fileURLToPath(new URL('../../support/processes/run-typescript.mjs', import.meta.url))];
/** The account without rights that every Linux has. */
export const NOBODY = 65_534;
const AGENT_PROGRAM = fileURLToPath(new URL('../../../dist/agent/src/main.js', import.meta.url));

/** Reason to skip tests with an agent of nobody; undefined where they can run. */
export function noAgentOfNobody(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  // A program of the account reads the project, which may be in a folder of root.
  const { status } = spawnSync(process.execPath, ['-e', ''], { uid: NOBODY, gid: NOBODY, cwd: dirname(fileURLToPath(import.meta.url)) });
  return status === 0 ? undefined : 'needs a project that every account can read';
}

/** No modifier is held. */
export const NOBODY_HELD = { control: false, shift: false, alt: false, meta: false };

/** Members of the request that differ from the usual ones. */
export interface SessionChanges {
  readonly requireConsent?: boolean;
  readonly notifyUserOnSessionStart?: boolean;
}

/** A session that runs: the viewer's socket, and what the viewer sees. */
export interface Opened {
  readonly peer: RelayPeer;
  readonly client: DesktopViewer;
}

/** The service, the agent of this machine, a viewer, and an X server that the agent shows. */
export class RemoteControl {
  readonly peers: RelayPeer[] = [];
  /** Programs on the desktop of a test. */
  readonly programs: ChildProcess[] = [];
  x!: XServer;
  screen!: Screen;
  folder = '';

  private constructor(
    readonly machine: Machine,
    readonly server: { readonly url: string; readonly program: { readonly pid: number } },
    readonly deviceId: string,
    readonly viewer: TestViewer,
    private readonly agent: { stop(): Promise<void> },
    readonly agentProcess: number,
    readonly headers: { readonly 'x-api-key': string },
  ) {}

  /** With an agent in this process, or with one as a program of its own, as it is installed or under the account without rights. */
  static async start(agentIs: 'in this process' | 'a program' | 'a program of nobody' = 'in this process'): Promise<RemoteControl> {
    const machine = await Machine.afterFirstStart();
    const server = await machine.start();
    const headers = { 'x-api-key': machine.account.key };
    const { tenantId, keyId, keySecret } = await enrol(machine.client(server));
    const directory = dataDirectory(join(machine.folder, 'agent'));
    const log = new MemoryLog();
    const installerKey = { id: keyId, secret: keySecret };
    const { deviceId } = await install({ serverUri: server.url, tenantId, installerKey }, directory, log);
    const { agent, id } =
      agentIs === 'in this process'
        ? await inThisProcess(directory, log)
        : agentIs === 'a program'
          ? programOf(machine)
          : await programOfNobody(machine);
    await eventually('the device is online', async () => {
      const device = await machine.client(server).get(`/api/v1/devices/${deviceId}`);
      return device.as<{ isOnline: boolean }>().isOnline;
    });
    return new RemoteControl(machine, server, deviceId, await TestViewer.connect(server, headers), agent, id, headers);
  }

  async stop(): Promise<void> {
    await this.viewer.stop();
    await this.agent.stop();
    await this.machine.close();
  }

  /** Before each test. */
  async begin(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'remote-control-'));
  }

  /** After each test. */
  async end(): Promise<void> {
    for (const peer of this.peers.splice(0)) await peer.stop();
    for (const program of this.programs.splice(0)) await ended(program);
    await eventually('all programs of sessions have ended', () => sessionPrograms().length === 0);
    this.screen?.disconnect();
    await this.x?.stop();
    await rm(this.folder, { recursive: true });
  }

  /** Starts the X server. */
  async desktop(size: string, options: readonly string[] = []): Promise<void> {
    this.x = await XServer.start(size, options);
    this.screen = await Screen.connect(this.x.name);
  }

  /** Asks the device for a session. */
  async request(meeting: Meeting, processId: number, changes: SessionChanges = {}): Promise<HubResult> {
    return this.viewer.call(viewerHub.RequestRemoteControlSession2, {
      sessionId: meeting.sessionId,
      websocketUri: relayUri(this.server, meeting, 'responder'),
      targetSystemSession: this.x.number,
      targetProcessId: processId,
      deviceId: this.deviceId,
      notifyUserOnSessionStart: false,
      requireConsent: false,
      viewerConnectionId: null,
      viewerName: null,
      ...changes,
    });
  }

  /** The viewer's half of a session. */
  join(meeting: Meeting): Opened {
    const peer = new RelayPeer(relayUri(this.server, meeting, 'requester'), this.headers, false);
    this.peers.push(peer);
    return { peer, client: new DesktopViewer(peer.socket) };
  }

  /** Begins a session, and waits for the first picture. */
  async open(settings = SETTINGS, processId = this.x.processId, changes: SessionChanges = {}): Promise<Opened> {
    const meeting = newMeeting();
    const opened = this.join(meeting);
    expect(await this.request(meeting, processId, changes)).toEqual({ isSuccess: true, reason: null, errorCode: null });
    await opened.peer.opened();
    opened.client.send('UpdateCaptureSettings', settings);
    await eventually('the first picture has come', () => opened.client.frames > 0);
    return opened;
  }

  /** True if the viewer sees exactly what the X server shows. */
  async isExact(client: DesktopViewer): Promise<boolean> {
    return (await this.screen.picture()).rgb.equals(client.picture.rgb);
  }
}

/** A key that is pressed or released, with the values of DOM events. */
export function keyEvent(key: string, code: string, isPressed: boolean, changes: Partial<KeyEvent> = {}): KeyEvent {
  return { key, code, isPressed, inputMode: 0, modifiers: NOBODY_HELD, ...changes };
}

/** Process ids of the programs of sessions that an agent has started. */
export function sessionPrograms(agentProcess = process.pid): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=,args=', '--ppid', String(agentProcess)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes('session-program'))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}

interface StartedAgent {
  readonly agent: { stop(): Promise<void> };
  readonly id: number;
}

async function inThisProcess(directory: ReturnType<typeof dataDirectory>, log: MemoryLog): Promise<StartedAgent> {
  return { agent: await Agent.start({ directory, log, reconnectJitterSeconds: 0, nodeOptions: TYPESCRIPT }), id: process.pid };
}

/** An agent with the rights of nobody. It can be started by root only. */
async function programOfNobody(machine: Machine): Promise<StartedAgent> {
  await chmod(machine.folder, 0o755);
  const folder = join(machine.folder, 'agent');
  const files = await readdir(folder, { recursive: true });
  for (const path of ['', ...files]) await chown(join(folder, path), NOBODY, NOBODY);
  const account = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const program = Program.start('The agent', [...account, process.execPath, AGENT_PROGRAM, 'run', '--data-dir', folder], {
    cwd: folder,
    env: { ...plainEnvironment(), HOME: folder },
  });
  return { agent: { stop: async () => void (await program.kill()) }, id: program.pid };
}

function programOf(machine: Machine): StartedAgent {
  const program = machine.agent(['run', '--data-dir', join(machine.folder, 'agent')]);
  return { agent: { stop: async () => void (await program.kill()) }, id: program.pid };
}
