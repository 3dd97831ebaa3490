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

/** How long a server that is told to stop waits for its clients, in milliseconds, before they are disconnected. */
const PATIENCE_MS = 2_000;

/** How long it then has to write everything down before it is cut off. The next start recovers. */
const SHUTDOWN_MS = 20_000;

/** How often a process that is not our child is looked at, in milliseconds. */
const POLL_MS = 20;

/** What postmaster.pid says about the server that wrote it. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** Empty when the server listens on no socket. */
  readonly socketDirectory: string;
}

/** A server process: our own child, or an orphan of an earlier service process. */
export interface ServerProcess {
  readonly pid: number;
  isAlive(): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
}

/** Reads the text of postmaster.pid; undefined when it is not complete, as while a server begins to start. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid, , , port, socketDirectory] = text.split('\n').map((line) => line.trim());
  if (!pid || !/^-?\d+$/.test(pid) || Number(pid) === 0) return undefined;
  return { pid: Math.abs(Number(pid)), port: Number(port ?? 0), socketDirectory: socketDirectory ?? '' };
}

/** What the cluster's postmaster.pid says; undefined when there is none. */
export async function readPidFile(clusterDirectory: string): Promise<PidFile | undefined> {
  try {
    return parsePidFile(await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Finds the server that already runs on this cluster, whoever started it. */
export async function findRunningServer(clusterDirectory: string): Promise<{ server: ServerProcess; endpoint: Endpoint } | undefined> {
  const pidFile = await readPidFile(clusterDirectory);
  if (!pidFile || pidFile.port === 0) return undefined;
  const { pid, port, socketDirectory } = pidFile;
  // A server in another container on the same volume has no process here, but its socket answers.
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
}

/** A server that is our child, and what it wrote to the log since it was started. */
export interface SpawnedServer extends ServerProcess {
  lastLogLines(): Promise<string>;
}

/** Starts a server process. It is not ready yet when this returns. */
export async function spawnServer(request: Spawn): Promise<SpawnedServer> {
  const { binaries, clusterDirectory, endpoint, account, log, settings } = request;
  const stale = await readPidFile(clusterDirectory);
  if (endpoint.transport === 'socket') await removeStaleLock(endpoint);
  const settingArguments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = await log.openForServer();
  let child: ChildProcess;
  try {
    child = spawn(binaries.postgres, ['-D', clusterDirectory, ...settingArguments], {
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      cwd: '/',
      // The pid left by a server that was killed may belong to any process by now. PostgreSQL ignores the one that is
      // named here, but still checks that nothing uses the old server's memory.
      env: { ...serverEnvironment(), ...(stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}) },
      stdio: ['ignore', output.descriptor, output.descriptor],
      // Ctrl-C in a terminal goes to the whole group: the server must outlive the service's own orderly end.
      detached: true,
      windowsHide: true,
    });
  } finally {
    await output.close();
  }
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
    lastLogLines: async () => failure?.message ?? (await log.lastLines(output.size)),
  };
}

/** Stops a server: waits for its clients, then disconnects them, then cuts it off. Returns when it is gone. */
export async function stopServer(server: ServerProcess, clusterDirectory: string, pgCtl: string | undefined): Promise<void> {
  if (process.platform === 'win32' && pgCtl) {
    // Windows has no signals for this: killing the process would be a crash.
    await new Promise<void>((resolve) => {
      execFile(pgCtl, ['stop', '-D', clusterDirectory, '-m', 'fast', '-t', String(SHUTDOWN_MS / 1000)], { cwd: '/' }, () => resolve());
    });
  }
  const steps: [NodeJS.Signals, number][] = [
    ['SIGTERM', PATIENCE_MS],
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

/** Tells whether the pid is a live server of this very cluster, and not a process that was given the same number later. */
async function isServerOf(pid: number, clusterDirectory: string): Promise<boolean> {
  // A process that has ended but was not waited for has an empty command line.
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

/** Without a process list, as on Windows, there is no answer: then the server's port tells whether it runs. */
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
 * Removes the lock on a socket at which nobody listens: it names a process that may be any other by now. The socket stays,
 * which PostgreSQL replaces by itself: a server that another service process starts at this moment may have just made it.
 */
async function removeStaleLock(endpoint: Endpoint): Promise<void> {
  const path = socketPath(endpoint.host, endpoint.port);
  if (!(await accepts({ path }))) await rm(`${path}.lock`, { force: true });
}

/** Tells whether something listens there. */
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
