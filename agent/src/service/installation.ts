import { randomUUID } from 'node:crypto';
import { rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunCommand } from '../commands.js';
import type { DataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import { codeOf, isMissing } from '../failures.js';
import { readInventory } from '../inventory/device-inventory.js';
import type { Log } from '../logs/log.js';
import { registerDevice } from '../registration.js';
import { readSettings, writeSettings, type AgentSettings } from '../settings.js';
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

/** Makes systemd run the agent from now on. Only on Linux, as root. */
export async function installUnit(
  command: readonly string[],
  directory: DataDirectory,
  instance: string | undefined,
  run: RunCommand,
): Promise<string> {
  const name = unitName(instance);
  await writeFile(join(UNIT_FOLDER, name), unitText({ command, dataDirectory: directory.root }));
  await run(['systemctl', 'daemon-reload']);
  await run(['systemctl', 'enable', '--now', name]);
  return name;
}

/**
 * Removes what the agent has put into the data directory, and the directory when nothing else is in it. False when it was
 * not installed there.
 */
export async function removeData(directory: DataDirectory): Promise<boolean> {
  const wasInstalled = await removeFile(directory.settingsFile);
  for (const folder of [directory.logs, directory.installerLogs, directory.temporary]) await rm(folder, { recursive: true, force: true });
  await rmdir(directory.root).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  });
  return wasInstalled;
}

/** Removes the unit and stops its service; the stop comes last, for it may end this very process. */
export async function removeUnit(instance: string | undefined, run: RunCommand): Promise<void> {
  const name = unitName(instance);
  if (!(await removeFile(join(UNIT_FOLDER, name)))) return;
  await run(['systemctl', 'disable', name]);
  await run(['systemctl', 'daemon-reload']);
  await run(['systemctl', 'stop', name]);
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
