import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { serverEnvironment } from './cluster.js';
import { type Endpoint, readPassword, socketPath, SUPERUSER } from './endpoint.js';
import { hasCode } from './errors.js';
import type { ServerLog } from './server-log.js';

/** Time for clients to leave a server that is told to stop, in milliseconds. Then it disconnects them. */
const SIGNAL_TIMEOUT_MS = 2_000;

/** Time for the server to write its data after that, in milliseconds. Then it is killed, and the next start recovers. */
const SHUTDOWN_MS = 20_000;

/** Interval of the checks for the end of the server, in milliseconds. */
const POLL_MS = 20;

/** The contents of postmaster.pid, which a server writes. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** Empty when the server listens on no socket. */
  readonly socketDirectory: string;
}

/** A server process: a child of this process, or one that an earlier process has left behind. */
export interface ServerProcess {
  readonly pid: number;
  isAlive(): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
}

/** Reads the text of postmaster.pid. Undefined when it has no process id; port and folder may not be written yet. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, socketDirectory] = text.split('\n').map((line) => line.trim());
  if (!pid || !/^-?\d+$/.test(pid) || Number(pid) === 0) return undefined;
  return { pid: Math.abs(Number(pid)), port: Number(port ?? 0), socketDirectory: socketDirectory ?? '' };
}

/** Reads the cluster's postmaster.pid. Undefined when there is none. */
async function readPidFile(clusterDirectory: string): Promise<PidFile | undefined> {
  try {
    return parsePidFile(await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Finds the server that runs on this cluster. Undefined when there is none. */
export async function findRunningServer(clusterDirectory: string): Promise<{ server: ServerProcess; endpoint: Endpoint } | undefined> {
  const pidFile = await readPidFile(clusterDirectory);
  if (!pidFile || pidFile.port === 0) return undefined;
  const { pid, port, socketDirectory } = pidFile;
  // A server in another container on the same volume is not among the processes here, but its socket answers.
  const address = socketDirectory === '' ? { host: '127.0.0.1', port } : { path: socketPath(socketDirectory, port) };
  if (!(await isServerOf(pid, clusterDirectory)) && !(await accepts(address))) return undefined;
  const endpoint: Endpoint =
    socketDirectory === ''
      ? { transport: 'loopback', host: '127.0.0.1', port, user: SUPERUSER, password: await readPassword(clusterDirectory) }
      : { transport: 'socket', host: socketDirectory, port, user: SUPERUSER };
  const server: ServerProcess = {
    pid,
    isAlive: async () => (process.platform === 'win32' ? accepts(address) : isServerOf(pid, clusterDirectory)),
    signal: (signal) => signalProcess(pid, signal),
  };
  return { server, endpoint };
}

export interface Spawn {
  readonly binaries: Binaries;
  readonly clusterDirectory: string;
  readonly endpoint: Endpoint;
  readonly account: Account | undefined;
  readonly log: ServerLog;
  /** Server settings by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Called as soon as the process exists, so that a service that exits in the next moment can still end it. */
  readonly onSpawn: (server: ServerProcess) => void;
}

/** A server that is a child of this process. `lastLogLines` are those that it has written itself. */
export interface SpawnedServer extends ServerProcess {
  lastLogLines(): Promise<string>;
}

/** Starts a server process. It is not ready for clients yet when this returns. */
export async function spawnServer(request: Spawn): Promise<SpawnedServer> {
  const { binaries, clusterDirectory, endpoint, account, log, settings, onSpawn } = request;
  const stale = await readPidFile(clusterDirectory);
  if (endpoint.transport === 'socket') await removeStaleLock(endpoint);
  const settingArguments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = await log.openForServer();
  try {
    const child = spawn(binaries.postgres, ['-D', clusterDirectory, ...settingArguments], {
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      cwd: '/',
      // The process id that a killed server has left may belong to another process by now. PostgreSQL ignores the id that is
      // given here, but still checks that nothing uses the old server's memory.
      env: { ...serverEnvironment(), ...(stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}) },
      stdio: ['ignore', output.descriptor, output.descriptor],
      // Ctrl-C in a terminal reaches the whole process group, but the service has to stop before the server.
      detached: true,
      windowsHide: true,
    });
    const server = serverOf(child, () => log.lastLines(output.size));
    onSpawn(server);
    return server;
  } finally {
    await output.close();
  }
}

/** Wraps a child process. `lastLines` returns the end of its log. */
function serverOf(child: ChildProcess, lastLines: () => Promise<string>): SpawnedServer {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  child.unref();
  const isAlive = (): boolean => failure === undefined && child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    isAlive: () => Promise.resolve(isAlive()),
    signal: (signal) => {
      if (isAlive()) child.kill(signal);
    },
    lastLogLines: async () => failure?.message ?? (await lastLines()),
  };
}

/** Stops a server and waits until it is gone. It waits for clients first, then disconnects them, and is killed at last. */
export async function stopServer(server: ServerProcess, clusterDirectory: string, pgCtl: string | undefined): Promise<void> {
  if (process.platform === 'win32' && pgCtl) {
    // On Windows a signal would kill the process at once.
    await new Promise<void>((resolve) => {
      execFile(pgCtl, ['stop', '-D', clusterDirectory, '-m', 'fast', '-t', String(SHUTDOWN_MS / 1000)], { cwd: '/' }, () => resolve());
    });
  }
  const steps: [NodeJS.Signals, number][] = [
    ['SIGTERM', SIGNAL_TIMEOUT_MS],
    ['SIGINT', SHUTDOWN_MS],
    ['SIGQUIT', SHUTDOWN_MS],
  ];
  for (const [signal, waitMs] of steps) {
    if (!(await server.isAlive())) return;
    server.signal(signal);
    if (await endsWithin(server, waitMs)) return;
  }
}

async function endsWithin(server: ServerProcess, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (Date.now() < deadline) {
    if (!(await server.isAlive())) return true;
    await delay(POLL_MS);
  }
  return !(await server.isAlive());
}

/** Checks that the process is a running server of this cluster, and not another process that has got the same id. */
async function isServerOf(pid: number, clusterDirectory: string): Promise<boolean> {
  // A process that has ended, and that its parent has not waited for, has an empty command line.
  const [program, ...options] = process.platform === 'linux' ? await linuxCommandLine(pid) : await listedCommandLine(pid);
  return program !== undefined && program.endsWith('postgres') && options.includes(clusterDirectory);
}

async function linuxCommandLine(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return [];
    throw error;
  }
}

/** Empty where there is no process list, as on Windows. There an answer at the server's port shows that it runs. */
async function listedCommandLine(pid: number): Promise<string[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (error, stdout) => resolve(error ? [] : stdout.trim().split(' ')));
  });
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/**
 * Removes the lock of a socket on which no server listens: it names a process id that may belong to another process by now. The
 * socket itself stays: another service process that starts at the same time may have just created it, and PostgreSQL replaces
 * an old one by itself.
 */
async function removeStaleLock(endpoint: Endpoint): Promise<void> {
  const path = socketPath(endpoint.host, endpoint.port);
  if (!(await accepts({ path }))) await rm(`${path}.lock`, { force: true });
}

/** Checks that a server listens there. */
async function accepts(address: { path: string } | { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
