import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command, RunCommand } from '../commands.js';
import type { DataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import { isMissing } from '../failures.js';
import { lstatOrUndefined } from '../files/file-system.js';
import { UnfinishedUploads } from '../files/unfinished-uploads.js';
import { readInventory } from '../inventory/device-inventory.js';
import type { Log } from '../logs/log.js';
import { registerDevice } from '../registration.js';
import { readSettings, unfinishedSettings, writeSettings, type AgentSettings } from '../settings.js';
import type { Machine, ServiceManager } from './service-manager.js';
import { isServiceName, pathsOf } from './service-managers.js';
import { missingFolders, removeEmpty, Undo } from './undo.js';

export interface InstallRequest {
  readonly serverUri: string;
  readonly tenantId: string;
  /** Permits plain http to another machine. */
  readonly allowHttp?: boolean;
  /** Without a key the device is not registered. The server must know it already, or accept unknown devices. */
  readonly installerKey?: { readonly id: string; readonly secret: string };
  readonly deviceId?: string;
  /** Undefined keeps the tags of a known device. */
  readonly tagIds?: string[];
  readonly instanceId?: string;
  /** The server's key for updates; undefined keeps the one of an earlier installation. */
  readonly updateKey?: string;
}

/** A device that was installed. */
export interface Installed {
  readonly deviceId: string;
  /** Fingerprint that people compare with the server when a new key waits for their approval. */
  readonly keyFingerprint: string;
  /** False when there were settings of an earlier installation. */
  readonly isNew: boolean;
}

/** Writes the settings and registers the device. `undo` gets the steps that take this back. */
export async function install(request: InstallRequest, directory: DataDirectory, log: Log, undo = new Undo()): Promise<Installed> {
  const earlier = await readSettings(directory);
  const deviceId = request.deviceId ?? earlier?.deviceId ?? randomUUID();
  const registers = request.installerKey !== undefined;
  // Registration replaces the public key that the server holds, so every registration uses a new key.
  const key = earlier === undefined || registers ? await DeviceKey.generate() : await DeviceKey.fromBase64(earlier.privateKey);
  const settings: AgentSettings = {
    ...earlier,
    serverUri: request.serverUri,
    tenantId: request.tenantId,
    deviceId,
    privateKey: key.privateKey,
    // Only the permission that came with this address counts.
    allowHttp: request.allowHttp ?? false,
    ...(request.instanceId !== undefined && { instanceId: request.instanceId }),
    ...(request.updateKey !== undefined && { updateKey: request.updateKey }),
  };
  let isRegistered = false;
  undo.add(`The settings in ${directory.settingsFile} are not as they were`, async () => {
    if (earlier === undefined) {
      await removeFile(directory.settingsFile);
      await removeFile(unfinishedSettings(directory));
    } else if (!isRegistered) {
      // Once the server has the new key, the earlier settings are of no use.
      await writeSettings(directory, earlier);
    }
  });
  // Saved before the request, so that a key that the server has stored is never lost.
  await writeSettings(directory, settings);
  if (request.installerKey !== undefined) {
    await registerDevice(request.serverUri, {
      device: await readInventory(settings),
      installerKeyId: request.installerKey.id,
      installerKeySecret: request.installerKey.secret,
      tagIds: request.tagIds ?? null,
      publicKey: key.publicKey,
    });
    isRegistered = true;
    log.info(`Device ${deviceId} is registered at ${request.serverUri}, with the key ${key.fingerprint}.`);
  }
  return { deviceId, keyFingerprint: key.fingerprint, isNew: earlier === undefined };
}

/** Adds the step that removes the folders which an installation makes for its data, as far as they are missing now. */
export async function undoFolders(directory: DataDirectory, undo: Undo): Promise<void> {
  const folders = await missingFolders(directory.root);
  const hasLogs = (await lstatOrUndefined(directory.installerLogs)) !== undefined;
  undo.add(`The folder ${directory.root} could not be removed`, async () => {
    if (!hasLogs) await rm(directory.installerLogs, { recursive: true, force: true });
    await removeEmpty(folders);
  });
}

/** Place in which an agent runs as a service. */
export interface ServicePlace {
  readonly name: string;
  readonly manager: ServiceManager;
  readonly machine: Machine;
  readonly run: RunCommand;
  /** Folder that stands for the root of the file system; tests use their own. */
  readonly root?: string;
}

/**
 * Installs and starts the service. One that already runs is restarted with the new program and settings, after `change` has put the program
 * in its place. `undo` gets the steps that remove a new service, or start the former one again. Returns the name of the service.
 */
export async function installService(
  command: readonly string[],
  directory: DataDirectory,
  place: ServicePlace,
  undo: Undo,
  change: () => Promise<void> = async () => undefined,
): Promise<string> {
  const { name, manager, machine } = place;
  const called = manager.nameOf(name);
  const files = manager
    .files({ name, command, dataDirectory: directory.root })
    .map((file) => ({ ...file, path: inRoot(place, file.path) }));
  const former = await Promise.all(files.map(({ path }) => textOf(path)));
  const isNew = former[0] === undefined;
  let wasEnded = false;
  // Added first, so that it comes last: the former service starts with its own files and program.
  undo.add(`The service ${called} could not be started again`, async () => {
    if (!isNew && wasEnded) await runAll(place, manager.restart(name, machine));
  });
  await change();
  undo.add(`The service ${called} could not be made known`, () => runAll(place, manager.reload(name)));
  for (const [index, { path, text, mode }] of files.entries()) {
    const before = former[index];
    const folders = await missingFolders(dirname(path));
    undo.add(`The file ${path} is not as it was`, async () => {
      if (before !== undefined) return writeFile(path, before);
      await removeFile(path);
      if (isNew) await removeOwnPaths(place);
      return removeEmpty(folders);
    });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode, flush: true });
    await chmod(path, mode);
  }
  await runAll(place, manager.reload(name));
  await runAll(place, manager.enable(name, machine));
  if (isNew) {
    undo.add(`The service ${called} could not be disabled`, () => runAll(place, manager.disable(name, machine)));
    // A service that did not start may be tried again and again.
    undo.add(`The service ${called} could not be stopped`, () => runAll(place, manager.stop(name, machine)));
  }
  wasEnded = true;
  await runAll(place, manager.restart(name, machine));
  return called;
}

/** The service of a name, as it concerns the agent on one data folder. */
export type ServiceState = 'none' | 'of this agent' | 'of another agent';

/** Looks for the service, and for the data folder that its agent runs on. */
export async function serviceState(place: ServicePlace, directory: DataDirectory): Promise<ServiceState> {
  const { name, manager } = place;
  const [first = ''] = pathsOf(manager, name);
  const text = await textOf(inRoot(place, first));
  if (text === undefined) return 'none';
  // A file that somebody has written by hand may name no folder.
  const isOwn = text.includes(manager.commandEnd(directory.root)) || !text.includes('--data-dir');
  return isOwn ? 'of this agent' : 'of another agent';
}

/** The name of another service that runs the program; undefined if none does. */
export async function otherServiceOf(place: ServicePlace, program: string): Promise<string | undefined> {
  const { name, manager } = place;
  // The names of these files differ only by the name of the service.
  const [folder = '', end = ''] = pathsOf(manager, name)[0]?.split(name) ?? [];
  for (const entry of await readdir(inRoot(place, folder)).catch(() => [])) {
    const service = end !== '' && entry.endsWith(end) ? entry.slice(0, -end.length) : entry;
    if (service === name || !isServiceName(service)) continue;
    const text = await textOf(inRoot(place, `${folder}${service}${end}`));
    if (text?.includes(program) === true) return manager.nameOf(service);
  }
  return undefined;
}

/** Stops the service of the agent if there is one. */
export async function stopService(place: ServicePlace, directory: DataDirectory): Promise<void> {
  const { name, manager, machine } = place;
  if ((await serviceState(place, directory)) === 'of this agent') await runAll(place, manager.stop(name, machine));
}

/**
 * Removes the service of the agent if there is one. A running service is not stopped, because it may be the caller. False when there is
 * none.
 */
export async function removeService(place: ServicePlace, directory: DataDirectory): Promise<boolean> {
  const { name, manager, machine } = place;
  if ((await serviceState(place, directory)) !== 'of this agent') return false;
  // Disabled before the files are removed: a service without a file cannot be disabled.
  await runAll(place, manager.disable(name, machine));
  const paths = pathsOf(manager, name).map((path) => inRoot(place, path));
  for (const path of paths) await removeFile(path);
  // The folder is that of the service where it has one of its own.
  if (await removeOwnPaths(place)) await removeEmpty([dirname(paths[0] ?? '')]);
  await runAll(place, manager.reload(name));
  return true;
}

/** Ends the manager's supervision, which would start the removed service again, and with it the caller if that is the service. */
export async function releaseService(place: ServicePlace): Promise<void> {
  await runAll(place, place.manager.release(place.name));
}

function inRoot({ root = '/' }: ServicePlace, path: string): string {
  return join(root, path);
}

/** Removes the manager's own files about the service. Returns false if there are none. */
async function removeOwnPaths(place: ServicePlace): Promise<boolean> {
  const paths = place.manager.ownPaths(place.name);
  for (const path of paths) await rm(inRoot(place, path), { recursive: true, force: true });
  return paths.length > 0;
}

async function runAll({ run }: ServicePlace, commands: readonly Command[]): Promise<void> {
  for (const command of commands) await run(command);
}

async function textOf(path: string): Promise<string | undefined> {
  return (await lstatOrUndefined(path)) === undefined ? undefined : readFile(path, 'utf8');
}

/**
 * Removes what the agent has put into the data directory and what interrupted uploads have left elsewhere, and the directory when
 * nothing else is in it. False when it was not installed there.
 */
export async function removeData(directory: DataDirectory, log: Log): Promise<boolean> {
  await new UnfinishedUploads(directory.uploads).clear(log);
  const wasInstalled = await removeFile(directory.settingsFile);
  await removeFile(unfinishedSettings(directory));
  for (const folder of [directory.logs, directory.installerLogs, directory.temporary, directory.uploads])
    await rm(folder, { recursive: true, force: true });
  await removeEmpty([directory.root]);
  return wasInstalled;
}

async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
