import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Agent } from '../agent.js';
import { runCommand } from '../commands.js';
import { dataDirectory, defaultDataDirectory, type DataDirectory } from '../data-directory.js';
import { messageOf } from '../failures.js';
import { LogFile } from '../logs/log-file.js';
import type { Log } from '../logs/log.js';
import { install, installUnit, removeData, removeUnit, stopUnit, type UnitPlace } from '../service/installation.js';
import { EXIT_RESTART, type Program } from '../service/program.js';
import { endRunningAgents } from '../service/running-agents.js';
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
  const log = new LogFile(directory.installerLogs);
  try {
    const updateKey = installed === undefined ? undefined : await updateKeyOf(request.serverUri, installed, command.updateKey, print);
    const { deviceId, keyFingerprint } = await install({ ...request, ...(updateKey !== undefined && { updateKey }) }, directory, log);
    print(`Device ${deviceId} is installed in ${directory.root}. Its key is ${keyFingerprint}.`);
    if (request.installerKey === undefined)
      print('Without --key-id the device was not registered. The server must know it already, or accept unknown devices.');
    if (command.installsService && mayManageServices()) {
      print(`Service ${await installUnit(program, directory, unitOf(request.instanceId))} runs.`);
    } else {
      print(`Start it with: ${[...program, 'run', '--data-dir', directory.root].map(quotedForShell).join(' ')}`);
      print('If an agent already runs there, restart it.');
    }
  } catch (error) {
    log.error('Installing failed.', error);
    throw error;
  } finally {
    await log.flush();
  }
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
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await updater?.start();
  await agent.untilStopped();
  updater?.stop();
  await agent.stop();
  await Promise.all([log.flush(), installerLog.flush()]);
  if (end.restarts && !end.uninstalls) process.exitCode = EXIT_RESTART;
  // In this process and not in a child: systemd ends all processes of a service when the main one ends.
  if (end.uninstalls) await remove(directory, command.instance, program, print);
}

/** Removes the agent from this machine. */
export async function runUninstall(command: Of<'uninstall'>, program: Program | undefined, print: Print): Promise<void> {
  const directory = directoryOf(command.dataDirectory, command.instance);
  // In a terminal that this agent serves, the end of the agent must not be the end of its removal.
  process.on('SIGHUP', () => undefined);
  // Stopped first, because a running agent would create its log file again. The unit before the process, so that systemd does not
  // start it once more.
  if (mayManageServices()) await stopUnit(unitOf(command.instance));
  if (isWindows) await stopTask(command.instance, runCommand);
  await endRunningAgents(directory);
  await remove(directory, command.instance, program, print);
}

async function remove(directory: DataDirectory, instance: string | undefined, program: Program | undefined, print: Print): Promise<void> {
  const log: Log = { info: print, warn: print, error: (message, cause) => print(`${message} ${messageOf(cause)}`) };
  const wasInstalled = await removeData(directory, log);
  if (mayManageServices()) await removeUnit(unitOf(instance));
  if (isWindows) await removeTask(instance, runCommand);
  if (program !== undefined) await removeProgram(program);
  print(wasInstalled ? `The agent in ${directory.root} is uninstalled.` : `No agent is installed in ${directory.root}.`);
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

/** Whether systemd manages this machine and this account may use it. In a container systemd may be installed but does not run. */
function mayManageServices(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/run/systemd/system');
}

function unitOf(instance: string | undefined): UnitPlace {
  return { instance, run: runCommand };
}

/** Quotes a word so that it can be pasted into a shell. */
function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function directoryOf(named: string | undefined, instance: string | undefined): DataDirectory {
  return dataDirectory(named === undefined ? defaultDataDirectory(instance) : resolve(named));
}
