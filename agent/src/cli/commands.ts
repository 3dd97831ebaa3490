import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Agent } from '../agent.js';
import { runCommand } from '../commands.js';
import { dataDirectory, defaultDataDirectory, type DataDirectory } from '../data-directory.js';
import { messageOf } from '../failures.js';
import { LogFile } from '../logs/log-file.js';
import type { Log } from '../logs/log.js';
import {
  install,
  installService,
  otherServiceOf,
  releaseService,
  removeData,
  removeService,
  serviceState,
  stopService,
  undoFolders,
  type ServicePlace,
} from '../service/installation.js';
import { EXIT_RESTART, type Program } from '../service/program.js';
import { endRunningAgents } from '../service/running-agents.js';
import { managerOf, serviceName, thisMachine } from '../service/service-managers.js';
import { quotedForShell } from '../service/shell.js';
import { Undo } from '../service/undo.js';
import { removeFolderAfter, removeTask, stopTask } from '../service/windows.js';
import { readSettings, SettingsError } from '../settings.js';
import { BundleError, fingerprintOf, offeredBundle, requireSignature } from '../updates/offered-bundle.js';
import { Updater } from '../updates/updater.js';
import type { CliCommand } from './arguments.js';

type Of<K extends CliCommand['kind']> = Extract<CliCommand, { kind: K }>;
type Print = (line: string) => void;

const isWindows = process.platform === 'win32';

/** Installs the agent on this machine. */
export async function runInstall(
  command: Of<'install'>,
  program: readonly string[],
  installed: Program | undefined,
  print: Print,
): Promise<void> {
  const { request } = command;
  const directory = directoryOf(command.dataDirectory, request.instanceId);
  const undo = new Undo();
  // Before the log, which makes the folder.
  await undoFolders(directory, undo);
  const log = new LogFile(directory.installerLogs);
  let registered: { readonly deviceId: string; readonly isNew: boolean } | undefined;
  try {
    const updateKey = installed === undefined ? undefined : await updateKeyOf(request.serverUri, installed, command.updateKey, print);
    const wanted = { ...request, ...(updateKey !== undefined && { updateKey }) };
    const { deviceId, keyFingerprint, isNew } = await install(wanted, directory, log, undo);
    print(`Device ${deviceId} is installed in ${directory.root}. Its key is ${keyFingerprint}.`);
    if (request.installerKey !== undefined) registered = { deviceId, isNew };
    else print('Without --key-id the device was not registered. The server must know it already, or accept unknown devices.');
    const place = command.installsService ? serviceOf(request.instanceId) : undefined;
    // On Windows install.ps1 does so.
    const change = async (): Promise<void> => (isWindows ? undefined : installed?.install(undo));
    if (place !== undefined) {
      print(`Service ${await installService(program, directory, place, undo, change)} runs.`);
    } else {
      await change();
      print(`Start it with: ${[...program, 'run', '--data-dir', directory.root].map(quotedForShell).join(' ')}`);
      print('If an agent already runs there, restart it.');
    }
  } catch (error) {
    log.error('Installing failed.', error);
    // Before the folder of the log is removed.
    await log.flush();
    for (const failure of await undo.run()) print(`Cleaning up failed. ${failure}`);
    if (registered?.isNew === true)
      print(
        `The server knows the device ${registered.deviceId} already. Install it with --device-id ${registered.deviceId}, or delete it there.`,
      );
    throw error;
  }
  await log.flush();
}

/** Runs the agent until a signal or the server ends it. Uninstalls it when the server asks for that. */
export async function runAgent(command: Of<'run'>, program: Program | undefined, print: Print): Promise<void> {
  const directory = directoryOf(command.dataDirectory, command.instance);
  const onFault = (error: unknown): void => print(`The log cannot be written: ${String(error)}`);
  const log = new LogFile(directory.logs, { onFault });
  const installerLog = new LogFile(directory.installerLogs, { onFault });
  const end = { uninstalls: false, restarts: false };
  const settings = await readSettings(directory);
  const updater =
    program === undefined || settings === undefined
      ? undefined
      : new Updater({
          program,
          serverUri: settings.serverUri,
          pinnedKey: settings.updateKey,
          log: bothLogs(log, installerLog),
          run: runCommand,
          onReady: () => {
            end.restarts = true;
            stop();
          },
        });
  const agent = await Agent.start({
    directory,
    log,
    ...(updater !== undefined && { updates: updater }),
    uninstall: async () => {
      end.uninstalls = true;
    },
  });
  print(`Agent of device ${agent.deviceId} runs; its log is in ${directory.logs}.`);
  const stop = (): void => {
    void agent.stop();
  };
  // A second one must not end the process in the middle: the launcher passes on the one that its service manager sends to both.
  process.on('SIGTERM', stop);
  process.once('SIGINT', stop);
  await updater?.start();
  await agent.untilStopped();
  updater?.stop();
  await agent.stop();
  await Promise.all([log.flush(), installerLog.flush()]);
  if (end.restarts && !end.uninstalls) process.exitCode = EXIT_RESTART;
  // In this process and not in a child: systemd ends all processes of a service when the main one ends.
  if (end.uninstalls) await remove({ ...command, instance: command.instance ?? settings?.instanceId }, directory, program, print);
}

/** Removes the agent from this machine. */
export async function runUninstall(command: Of<'uninstall'>, program: Program | undefined, print: Print): Promise<void> {
  const directory = directoryOf(command.dataDirectory, command.instance);
  // In a terminal that this agent serves, the end of the agent must not be the end of its removal.
  process.on('SIGHUP', () => undefined);
  // Stopped first, because a running agent would create its log file again. The service before the process, so that it is not
  // started once more.
  // Settings that cannot be read keep nobody from uninstalling.
  const settings = await readSettings(directory).catch(() => undefined);
  const instance = command.instance ?? settings?.instanceId;
  const place = serviceOf(instance);
  if (place !== undefined) await stopService(place, directory);
  if (isWindows) await stopTask(instance, runCommand);
  await endRunningAgents(directory);
  await remove({ ...command, instance }, directory, program, print);
}

/** An agent of this machine as a command names it. */
interface NamedAgent {
  readonly instance: string | undefined;
  readonly dataDirectory?: string;
}

async function remove(
  { instance, dataDirectory: named }: NamedAgent,
  directory: DataDirectory,
  program: Program | undefined,
  print: Print,
): Promise<void> {
  const log: Log = { info: print, warn: print, error: (message, cause) => print(`${message} ${messageOf(cause)}`) };
  const wasInstalled = await removeData(directory, log);
  const place = serviceOf(instance);
  const state = place === undefined ? 'none' : await serviceState(place, directory);
  const wasService = place !== undefined && (await removeService(place, directory));
  if (isWindows) await removeTask(instance, runCommand);
  // A folder that was mistyped must not cost another agent its program.
  const isMistaken = !wasInstalled && state === 'none' && (named ?? instance) !== undefined;
  const other = place === undefined || program === undefined ? undefined : await otherServiceOf(place, program.launcher);
  if (state === 'of another agent')
    print(`The service ${place?.manager.nameOf(place.name)} runs an agent on another folder, so it and the program stay.`);
  else if (other !== undefined) print(`The service ${other} runs the same program, so that stays.`);
  else if (program !== undefined && !isMistaken) await removeProgram(program);
  print(wasInstalled ? `The agent in ${directory.root} is uninstalled.` : `No agent is installed in ${directory.root}.`);
  // Last, because it may end this process.
  if (wasService) await releaseService(place);
}

/** Windows keeps the files of a program that runs: there, another process removes them as soon as this one has ended. */
async function removeProgram(program: Program): Promise<void> {
  if (!isWindows) return program.remove();
  const [file, ...args] = removeFolderAfter(process.pid, program.root);
  spawn(file, args, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
}

/**
 * The key that the server signs the installed bundle with. Undefined when the server does not offer that bundle any more: without a
 * key the agent does not update itself.
 * @throws SettingsError when the operator has named another key, or the signature is wrong
 */
async function updateKeyOf(
  serverUri: string,
  program: Program,
  fingerprint: string | undefined,
  print: Print,
): Promise<string | undefined> {
  try {
    const bundle = await offeredBundle(serverUri, new AbortController().signal);
    if (bundle === undefined) throw new BundleError('The server offers no bundle for this platform.');
    requireSignature(bundle, bundle.publicKey);
    if (fingerprint !== undefined && fingerprintOf(bundle.publicKey) !== fingerprint)
      throw new BundleError(`Its key for updates is ${fingerprintOf(bundle.publicKey)}.`);
    if (bundle.sha256 !== program.version) throw new BundleError('The server offers another bundle than this one.');
    return bundle.publicKey;
  } catch (error) {
    if (fingerprint !== undefined) throw new SettingsError(`The key ${fingerprint} cannot be confirmed. ${messageOf(error)}`);
    print(`This agent will not update itself: ${messageOf(error)}`);
    return undefined;
  }
}

/** Writes to both logs. */
function bothLogs(first: Log, second: Log): Log {
  const both = [first, second];
  return {
    info: (message) => both.forEach((log) => log.info(message)),
    warn: (message) => both.forEach((log) => log.warn(message)),
    error: (message, cause) => both.forEach((log) => log.error(message, cause)),
  };
}

/** Place of an agent's service; undefined if this account cannot manage services. */
function serviceOf(instance: string | undefined): ServicePlace | undefined {
  const machine = thisMachine();
  const manager = managerOf(machine);
  return manager === undefined ? undefined : { name: serviceName(instance), manager, machine, run: runCommand };
}

function directoryOf(named: string | undefined, instance: string | undefined): DataDirectory {
  return dataDirectory(named === undefined ? defaultDataDirectory(instance) : resolve(named));
}
