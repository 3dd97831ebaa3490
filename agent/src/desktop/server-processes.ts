import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { codeOf } from '../failures.js';

/** Folders in which X servers have their sockets, `X<number>`, and write the id of their process, `.X<number>-lock`. */
export interface DisplayPlaces {
  readonly sockets: string;
  readonly locks: string;
}

/** Names of programs: Xorg, Xwayland, Xvfb, Xtigervnc and others. */
const X_SERVER = /^X/;
/** Readings of the kernel's list of sockets, as long as a display has no server in it. */
const LIST_READINGS = 4;
/** Place of the start in `/proc/<id>/stat`, counted from the field after the name. */
const START_FIELD = 19;
/** An X server that does not take a connection in this time is stuck. */
const CONNECT_TIMEOUT_MS = 1_000;

export function socketOf(number: number, { sockets }: DisplayPlaces): string {
  return join(sockets, `X${number}`);
}

/** Process ids of the X servers by their sockets. Root sees the sockets of all; others see their own, and believe files about the rest. */
export async function serverProcesses(numbers: readonly number[], places: DisplayPlaces): Promise<Map<string, number>> {
  const sockets = numbers.map((number) => socketOf(number, places));
  const processes = new Map<string, number>();
  const hidden = new Set<number>();
  // The list of the kernel lacks a socket at times while others come and go.
  for (let reading = 0; reading < LIST_READINGS && !sockets.every((path) => processes.has(path)); reading += 1)
    await readServers(processes, hidden);
  for (const number of numbers.filter((each) => !processes.has(socketOf(each, places)))) {
    const processId = await lockedBy(join(places.locks, `.X${number}-lock`)).catch(() => undefined);
    if (processId !== undefined) processes.set(socketOf(number, places), processId);
  }
  const taken = new Set(processes.values());
  const [rest, others] = [sockets.filter((path) => !processes.has(path)), [...hidden].filter((id) => !taken.has(id))];
  for (const [path, processId] of others.length === 0 ? [] : await pairs(rest, others)) processes.set(path, processId);
  return processes;
}

/**
 * Pairs sockets with servers of other accounts, which have no lock file when a display manager chose their display: the sockets of an
 * account by their age with its servers by theirs, if there are as many.
 */
async function pairs(sockets: readonly string[], servers: readonly number[]): Promise<(readonly [path: string, processId: number])[]> {
  const live = await Promise.all(sockets.map(async (path) => ((await takesConnections(path)) ? await aged(path, path) : [])));
  const running = await Promise.all(servers.map(async (id) => aged(id, `/proc/${id}`, await startOf(id))));
  const accounts = new Set(live.flat().map(({ uid }) => uid));
  return [...accounts].flatMap((account) => {
    const [paths, ids] = [oldestFirst(live.flat(), account), oldestFirst(running.flat(), account)];
    return paths.length === ids.length ? paths.map((path, index) => [path, ids[index]] as const) : [];
  });
}

/** Something that an account has made. */
interface Aged<T> {
  readonly thing: T;
  readonly uid: number;
  readonly since: number;
}

/** A thing with the account and the age of its file; none if it has just gone. */
async function aged<T>(thing: T, file: string, since?: number): Promise<Aged<T>[]> {
  return stat(file).then(
    ({ uid, mtimeMs }) => [{ thing, uid, since: since ?? mtimeMs }],
    () => [],
  );
}

function oldestFirst<T>(all: readonly Aged<T>[], account: number): readonly T[] {
  return all
    .filter(({ uid }) => uid === account)
    .sort((a, b) => a.since - b.since)
    .map(({ thing }) => thing);
}

/** The start of a process, in ticks since that of the machine. */
async function startOf(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/stat`, 'latin1').catch(() => '');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? 0);
}

/** Adds the X servers by the sockets that they have. `hidden` gets those whose sockets this account may not see. */
async function readServers(servers: Map<string, number>, hidden: Set<number>): Promise<void> {
  const paths = new Map<string, string>();
  for (const line of (await readFile('/proc/net/unix', 'utf8').catch(() => '')).split('\n')) {
    const [, , , , , , inode, path] = line.split(/\s+/);
    if (inode !== undefined && path !== undefined) paths.set(`socket:[${inode}]`, path);
  }
  for (const pid of await processIds()) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (!X_SERVER.test(name)) continue;
    // Nothing of processes of other accounts, and of those that have just ended.
    const descriptors = await readdir(`/proc/${pid}/fd`).catch((error: unknown) => {
      if (codeOf(error) === 'EACCES') hidden.add(pid);
      return [];
    });
    for (const descriptor of descriptors) {
      // While it is read the server closes descriptors of clients that leave.
      const file = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      const path = paths.get(file);
      if (path !== undefined) servers.set(path, pid);
    }
  }
}

/** The process that a lock file names. Everybody can write such files, but only for processes of their own account they are believed. */
async function lockedBy(lock: string): Promise<number | undefined> {
  const processId = Number(await readFile(lock, 'latin1'));
  if (!Number.isInteger(processId) || processId < 1) return undefined;
  const [written, running] = await Promise.all([stat(lock), stat(`/proc/${processId}`)]);
  return written.uid === running.uid ? processId : undefined;
}

export async function processIds(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

export async function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    // After a long turn of this process both are due, and the timer comes first: a connection that is there counts.
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => setImmediate(end, false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
