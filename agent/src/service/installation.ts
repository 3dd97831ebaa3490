import { randomUUID } from 'node:crypto';
import { rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunCommand } from '../commands.js';
import type { DataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import { codeOf, isMissing } from '../failures.js';
import { lstatOrUndefined } from '../files/file-system.js';
import { UnfinishedUploads } from '../files/unfinished-uploads.js';
import { readInventory } from '../inventory/device-inventory.js';
import type { Log } from '../logs/log.js';
import { registerDevice } from '../registration.js';
import { readSettings, unfinishedSettings, writeSettings, type AgentSettings } from '../settings.js';
import { UNIT_FOLDER, unitName, unitText } from './systemd.js';

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
  /** What people compare with the server when a new key waits for their approval. */
  readonly keyFingerprint: string;
}

/** Writes the settings and registers the device. */
export async function install(request: InstallRequest, directory: DataDirectory, log: Log): Promise<Installed> {
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
  // Saved before the request, so that a key that the server has stored is never lost.
  await writeSettings(directory, settings);
  const installed = { deviceId, keyFingerprint: key.fingerprint };
  if (request.installerKey === undefined) return installed;
  try {
    await registerDevice(request.serverUri, {
      device: await readInventory(settings),
      installerKeyId: request.installerKey.id,
      installerKeySecret: request.installerKey.secret,
      tagIds: request.tagIds ?? null,
      publicKey: key.publicKey,
    });
  } catch (error) {
    // The earlier installation stays as it was: the server still has its key.
    if (earlier === undefined) await unlink(directory.settingsFile);
    else await writeSettings(directory, earlier);
    throw error;
  }
  log.info(`Device ${deviceId} is registered at ${request.serverUri}, with the key ${key.fingerprint}.`);
  return installed;
}

/** A systemd unit and the command that manages it. Linux only, as root. */
export interface UnitPlace {
  readonly instance: string | undefined;
  readonly run: RunCommand;
  /** Folder of unit files; tests use their own. */
  readonly folder?: string;
}

/** Installs and starts the systemd service. A service that already runs is restarted with the new settings. */
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

/** Stops the service if there is one. */
export async function stopUnit({ instance, run, folder }: UnitPlace): Promise<void> {
  const name = unitName(instance);
  if ((await lstatOrUndefined(join(folder ?? UNIT_FOLDER, name))) !== undefined) await run(['systemctl', 'stop', name]);
}

/** Removes the unit if there is one. A running service is not stopped, because it may be the caller. */
export async function removeUnit({ instance, run, folder }: UnitPlace): Promise<void> {
  const name = unitName(instance);
  const path = join(folder ?? UNIT_FOLDER, name);
  if ((await lstatOrUndefined(path)) === undefined) return;
  // Disabled before the file is removed: systemd cannot disable a unit without a file.
  await run(['systemctl', 'disable', name]);
  await removeFile(path);
  await run(['systemctl', 'daemon-reload']);
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
