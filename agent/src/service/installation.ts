import { randomUUID } from 'node:crypto';
import { rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunCommand } from '../commands.js';
import type { DataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import { codeOf, isMissing } from '../failures.js';
import { lstatOrUndefined } from '../files/file-system.js';
import { readInventory } from '../inventory/device-inventory.js';
import type { Log } from '../logs/log.js';
import { registerDevice } from '../registration.js';
import { readSettings, UNFINISHED, writeSettings, type AgentSettings } from '../settings.js';
import { UNIT_FOLDER, unitName, unitText } from './systemd.js';

export interface InstallRequest {
  readonly serverUri: string;
  readonly tenantId: string;
  /** Without a key the device is not registered: it is known to the server already, or the server takes it as it is. */
  readonly installerKey?: { readonly id: string; readonly secret: string };
  readonly deviceId?: string;
  /** Undefined keeps the tags of a known device. */
  readonly tagIds?: string[];
  readonly instanceId?: string;
}

/** Writes the settings and registers the device. Gives the id of the device. */
export async function install(request: InstallRequest, directory: DataDirectory, log: Log): Promise<string> {
  const earlier = await readSettings(directory);
  const deviceId = request.deviceId ?? earlier?.deviceId ?? randomUUID();
  const registers = request.installerKey !== undefined;
  // A registration replaces the key that the server holds, so it always makes a new one.
  const key = earlier === undefined || registers ? await DeviceKey.generate() : await DeviceKey.fromBase64(earlier.privateKey);
  const settings: AgentSettings = {
    ...earlier,
    serverUri: request.serverUri,
    tenantId: request.tenantId,
    deviceId,
    privateKey: key.privateKey,
    ...(request.instanceId !== undefined && { instanceId: request.instanceId }),
  };
  // Before the request: a key that the server has stored must never be lost.
  await writeSettings(directory, settings);
  if (request.installerKey === undefined) return deviceId;
  try {
    await registerDevice(request.serverUri, {
      device: await readInventory(settings),
      installerKeyId: request.installerKey.id,
      installerKeySecret: request.installerKey.secret,
      tagIds: request.tagIds ?? null,
      publicKey: key.publicKey,
    });
  } catch (error) {
    // The device that was installed before goes on with the key that the server knows.
    if (earlier === undefined) await unlink(directory.settingsFile);
    else await writeSettings(directory, earlier);
    throw error;
  }
  log.info(`Device ${deviceId} is registered at ${request.serverUri}.`);
  return deviceId;
}

/** A unit of systemd: which one, and what it is managed with. Only on Linux, as root. */
export interface UnitPlace {
  readonly instance: string | undefined;
  readonly run: RunCommand;
  /** Where units lie; tests put their own in its place. */
  readonly folder?: string;
}

/** Makes systemd run the agent from now on; one that runs already starts anew, with the settings of this installation. */
export async function installUnit(
  command: readonly string[],
  directory: DataDirectory,
  { instance, run, folder }: UnitPlace,
): Promise<string> {
  const name = unitName(instance);
  await writeFile(join(folder ?? UNIT_FOLDER, name), unitText({ command, dataDirectory: directory.root }));
  await run(['systemctl', 'daemon-reload']);
  await run(['systemctl', 'enable', name]);
  await run(['systemctl', 'restart', name]);
  return name;
}

/** Stops the service when there is one. */
export async function stopUnit({ instance, run, folder }: UnitPlace): Promise<void> {
  const name = unitName(instance);
  if ((await lstatOrUndefined(join(folder ?? UNIT_FOLDER, name))) !== undefined) await run(['systemctl', 'stop', name]);
}

/** Removes the unit when there is one. A service that runs goes on to its own end: it may be the one that calls this. */
export async function removeUnit({ instance, run, folder }: UnitPlace): Promise<void> {
  const name = unitName(instance);
  const path = join(folder ?? UNIT_FOLDER, name);
  if ((await lstatOrUndefined(path)) === undefined) return;
  // Before the file goes: what is not there cannot be disabled.
  await run(['systemctl', 'disable', name]);
  await removeFile(path);
  await run(['systemctl', 'daemon-reload']);
}

/**
 * Removes what the agent has put into the data directory, and the directory when nothing else is in it. False when it was
 * not installed there.
 */
export async function removeData(directory: DataDirectory): Promise<boolean> {
  const wasInstalled = await removeFile(directory.settingsFile);
  await removeFile(`${directory.settingsFile}${UNFINISHED}`);
  for (const folder of [directory.logs, directory.installerLogs, directory.temporary]) await rm(folder, { recursive: true, force: true });
  await rmdir(directory.root).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  });
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
