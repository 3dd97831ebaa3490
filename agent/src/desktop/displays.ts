import { readdir, readFile, stat } from 'node:fs/promises';
import { runCommand } from '../commands.js';
import { processIds, serverProcesses, socketOf, takesConnections, type DisplayPlaces } from './server-processes.js';

const PLACES: DisplayPlaces = { sockets: '/tmp/.X11-unix', locks: '/tmp' };
const SOCKET = /^X(\d{1,5})$/;
/** Variables with which programs of a session find its display and its message bus. */
const SESSION_VARIABLES = ['XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'HOME', 'LANG'] as const;

/** User whose session a display shows, and the environment of the programs in it. */
interface DisplayUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An X11 display of this machine. */
export interface Display {
  readonly number: number;
  /** The X server's process. */
  readonly processId: number;
  /** True if the server shows X11 programs in a Wayland desktop, and nothing else of it. */
  readonly isWithinWayland: boolean;
  /** Undefined when nobody's programs use the display, or those of several accounts do. */
  readonly user: DisplayUser | undefined;
  /** The file with the keys of the display, as its server was told; undefined when everybody on the machine may connect. */
  readonly authorityFile: string | undefined;
}

/** The X11 displays of this machine whose server takes connections, by number. */
export async function readDisplays(places: DisplayPlaces = PLACES): Promise<Display[]> {
  if (process.platform !== 'linux') return [];
  const numbers = (await readdir(places.sockets).catch(() => [])).flatMap((name) => SOCKET.exec(name)?.[1] ?? []).map(Number);
  if (numbers.length === 0) return [];
  const processes = await serverProcesses(numbers, places);
  const servers = await Promise.all(numbers.map(async (number) => serverOf(number, places, processes)));
  const displays = servers.filter((server) => server !== undefined).sort((a, b) => a.number - b.number);
  if (displays.length === 0) return [];
  const claims = await readClaims(new Set(displays.map(({ number }) => number)));
  return Promise.all(
    displays.map(async (server) => {
      const { number, processId, isWithinWayland, authorityFile } = server;
      return { number, processId, isWithinWayland, authorityFile, user: await userOf(claims, server) };
    }),
  );
}

interface Server extends Omit<Display, 'user'> {
  /** The account that the X server runs under. */
  readonly uid: number;
  readonly gid: number;
}

async function serverOf(number: number, places: DisplayPlaces, processes: ReadonlyMap<string, number>): Promise<Server | undefined> {
  try {
    const path = socketOf(number, places);
    const processId = processes.get(path);
    if (processId === undefined || !(await takesConnections(path))) return undefined;
    const { uid, gid } = await stat(`/proc/${processId}`);
    const words = (await readFile(`/proc/${processId}/cmdline`, 'utf8')).split('\0');
    const isWithinWayland = (await readFile(`/proc/${processId}/comm`, 'utf8')).trim() === 'Xwayland';
    return { number, processId, isWithinWayland, uid, gid, authorityFile: words[words.indexOf('-auth') + 1 || words.length] };
  } catch {
    // A server that has ended may leave its files.
    return undefined;
  }
}

/** A process that uses a display, by its environment. */
interface Claim {
  readonly number: number;
  readonly uid: number;
  readonly gid: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** The processes that use one of the displays, as far as this account may see. */
async function readClaims(numbers: ReadonlySet<number>): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const pid of await processIds()) {
    try {
      const variables = environmentOf(await readFile(`/proc/${pid}/environ`, 'utf8'));
      const number = Number(/^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(variables.get('DISPLAY') ?? '')?.[1]);
      if (!numbers.has(number)) continue;
      const { uid, gid } = await stat(`/proc/${pid}`);
      const environment = Object.fromEntries(
        SESSION_VARIABLES.flatMap((name) => {
          const value = variables.get(name);
          return value === undefined ? [] : [[name, value]];
        }),
      );
      claims.push({ number, uid, gid, environment });
    } catch {
      // Processes of other accounts, and those that have just ended.
    }
  }
  return claims;
}

function environmentOf(text: string): Map<string, string> {
  return new Map(
    text.split('\0').map((entry): [string, string] => {
      const end = entry.indexOf('=');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

/**
 * Returns the session's user: the account of the X server, or for a server of root the account whose programs use the display. Everybody
 * can start a program that names the display of another account, so if several do, none is believed. Programs of root are the system's,
 * unless there are no others.
 */
async function userOf(claims: readonly Claim[], server: Server): Promise<DisplayUser | undefined> {
  const all = claims.filter(({ number }) => number === server.number);
  const people = all.filter(({ uid }) => uid !== 0);
  const candidates =
    server.uid === 0
      ? people.length > 0
        ? people
        : all
      : [{ ...server, environment: {} }, ...all.filter(({ uid }) => uid === server.uid)];
  if (new Set(candidates.map(({ uid }) => uid)).size !== 1) return undefined;
  // The program that knows most about its session.
  const [{ uid, gid, environment }] = candidates.sort((a, b) => Object.keys(b.environment).length - Object.keys(a.environment).length);
  return { uid, gid, name: await nameOf(uid), environment };
}

async function nameOf(uid: number): Promise<string> {
  return runCommand(['id', '-nu', String(uid)]).then(
    (name) => name.trim(),
    // In containers an account may have a number but no name.
    () => String(uid),
  );
}
