import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { fromBase64 } from '#libs/contracts';
import type { DataDirectory } from './data-directory.js';
import { codeOf, isMissing, isRefusedAccess, messageOf } from './failures.js';
import { VncPorts } from './vnc-ports.js';

/** Identity of the device and its server. The file holds a private key, so only its owner may read it. */
export interface AgentSettings {
  /** Origin of the server, for example `https://devices.example.org`. */
  serverUri: string;
  tenantId: string;
  deviceId: string;
  /** Ed25519 seed, standard base64 of 32 bytes. */
  privateKey: string;
  instanceId?: string;
  /** True if the server may be reached over plain http from another machine. Default: false. */
  allowHttp?: boolean;
  /** True if the server may restart and shut down this machine. Default: true. */
  allowPower?: boolean;
  /** Ports of this device that VNC sessions may reach, such as `5900-5909,6001`; empty for none. Default: 5900-5909. */
  vncPorts?: string;
  /** The server's Ed25519 key for updates, standard base64 of 32 bytes. Without it the agent does not update itself. */
  updateKey?: string;
}

/** The settings cannot be used; the message tells the operator why and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The settings could not be read this time, as on a disk that fails; the message says why. They may be right. */
export class UnreadSettingsError extends Error {
  override readonly name = 'UnreadSettingsError';
}

/** Codes of a path that cannot be that of settings. */
const WRONG_PATH: ReadonlySet<string> = new Set(['EISDIR', 'ELOOP', 'ENAMETOOLONG']);
/** Editors of Windows put it before the text. */
const BYTE_ORDER_MARK = /^\uFEFF/;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Mode bits of group and others. */
const OTHERS = 0o077;
const OWNER_ONLY = 0o600;
const MAX_SETTINGS_BYTES = 64 * 1024;

/** Path of settings that are being written. */
export function unfinishedSettings({ settingsFile }: DataDirectory): string {
  return `${settingsFile}.new`;
}

/**
 * Reads the settings. Returns undefined when there are none.
 * @throws SettingsError when they are invalid, or the operator must change the file or the access to it
 * @throws UnreadSettingsError when the system could not read them this time
 */
export async function readSettings(directory: DataDirectory): Promise<AgentSettings | undefined> {
  let text: string;
  try {
    text = await readFile(directory.settingsFile, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    const isWrong = isRefusedAccess(error) || WRONG_PATH.has(codeOf(error) ?? '');
    const Kind = isWrong ? SettingsError : UnreadSettingsError;
    throw new Kind(`The settings in ${directory.settingsFile} cannot be read: ${messageOf(error)}`);
  }
  if (text.length > MAX_SETTINGS_BYTES) throw new SettingsError(`${directory.settingsFile} is larger than settings can be.`);
  return parseSettings(text, directory.settingsFile);
}

/** Takes access to the settings from other accounts. Returns true when they had access, so that the key may be known to them. */
export async function closeToOthers(directory: DataDirectory): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const { mode } = await stat(directory.settingsFile);
  if ((mode & OTHERS) === 0) return false;
  await chmod(directory.settingsFile, OWNER_ONLY);
  return true;
}

/** Writes the settings so that a crash leaves either the old or the new ones: 0600 in a folder of 0700. */
export async function writeSettings(directory: DataDirectory, settings: AgentSettings): Promise<void> {
  await mkdir(directory.root, { recursive: true, mode: 0o700 });
  await chmod(directory.root, 0o700);
  const temporary = unfinishedSettings(directory);
  const file = await open(temporary, 'w', OWNER_ONLY);
  try {
    await file.chmod(OWNER_ONLY);
    await file.writeFile(`${JSON.stringify(settings, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, directory.settingsFile);
  await syncNames(directory.root);
}

/** Writes the names of the files in a folder to the disk. Not every file system can do so. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

function parseSettings(text: string, path: string): AgentSettings {
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
  } catch (error) {
    throw new SettingsError(`${path} is no JSON: ${messageOf(error)}`);
  }
  if (typeof raw !== 'object' || raw === null) throw new SettingsError(`${path} must hold a JSON object.`);
  const fields = new Map<string, unknown>(Object.entries(raw));
  const requireText = (name: string): string => {
    const value = fields.get(name);
    if (typeof value !== 'string' || value === '') throw new SettingsError(`${path}: ${name} must be a text.`);
    return value;
  };
  const requireGuid = (name: string): string => {
    const value = requireText(name).toLowerCase();
    if (!GUID.test(value)) throw new SettingsError(`${path}: ${name} must be a GUID.`);
    return value;
  };
  const privateKey = requireText('privateKey');
  if (fromBase64(privateKey)?.length !== 32) throw new SettingsError(`${path}: privateKey must be base64 of 32 bytes.`);
  const optionalFlag = (name: string): boolean | undefined => {
    const value = fields.get(name);
    if (value !== undefined && typeof value !== 'boolean') throw new SettingsError(`${path}: ${name} must be true or false.`);
    return value;
  };
  const allowPower = optionalFlag('allowPower');
  const allowHttp = optionalFlag('allowHttp');
  const vncPorts = fields.get('vncPorts');
  if (vncPorts !== undefined && (typeof vncPorts !== 'string' || VncPorts.parse(vncPorts) === undefined)) {
    throw new SettingsError(`${path}: vncPorts must be ports and ranges such as "5900-5909,6001".`);
  }
  const updateKey = fields.get('updateKey');
  const instanceId = fields.get('instanceId');
  return {
    serverUri: parseServerUri(requireText('serverUri')),
    tenantId: requireGuid('tenantId'),
    deviceId: requireGuid('deviceId'),
    privateKey,
    ...(typeof instanceId === 'string' && { instanceId }),
    ...(typeof updateKey === 'string' && { updateKey }),
    ...(allowPower !== undefined && { allowPower }),
    ...(allowHttp !== undefined && { allowHttp }),
    ...(vncPorts !== undefined && { vncPorts }),
  };
}

/** The origin of a server address. Throws SettingsError unless it is http or https. */
export function parseServerUri(text: string): string {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !['http:', 'https:'].includes(uri.protocol)) {
    throw new SettingsError(`The server must be an http or https address such as https://devices.example.org, not "${text}".`);
  }
  return uri.origin;
}

/**
 * Throws SettingsError for plain http to another machine unless it is permitted: everybody on the way could read along, and give the
 * agent orders in the server's name.
 */
export function requireSafeTransport(serverUri: string, isHttpAllowed: boolean): void {
  const { protocol, hostname, origin } = new URL(serverUri);
  if (protocol === 'https:' || isHttpAllowed || isLoopback(hostname)) return;
  throw new SettingsError(
    `${origin} is plain http: everybody on the way could read along and control this device. Use https, or install with --allow-http ` +
      'if the whole way can be trusted.',
  );
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns true if the host part of a URI names this machine, so that no network is involved. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
