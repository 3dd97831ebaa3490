import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Agent } from '../agent.js';
import { runCommand } from '../commands.js';
import { dataDirectory, defaultDataDirectory, type DataDirectory } from '../data-directory.js';
import { LogFile } from '../logs/log-file.js';
import { install, installUnit, removeData, removeUnit } from '../service/installation.js';
import type { CliCommand } from './arguments.js';

type Of<K extends CliCommand['kind']> = Extract<CliCommand, { kind: K }>;
type Print = (line: string) => void;

/** Installs the agent on this machine. */
export async function runInstall(command: Of<'install'>, program: readonly string[], print: Print): Promise<void> {
  const { request } = command;
  const directory = directoryOf(command.dataDirectory, request.instanceId);
  const log = new LogFile(directory.installerLogs);
  try {
    const deviceId = await install(request, directory, log);
    print(`Device ${deviceId} is installed in ${directory.root}.`);
    if (command.installsService && mayManageServices()) {
      print(`Service ${await installUnit(program, directory, request.instanceId, runCommand)} runs.`);
    } else {
      print(`Start it with: device-agent run --data-dir "${directory.root}"`);
    }
  } catch (error) {
    log.error('Installing failed.', error);
    throw error;
  } finally {
    await log.flush();
  }
}

/** Runs the agent until a signal, or the server, ends it. */
export async function runAgent(command: Of<'run'>, program: readonly string[], print: Print): Promise<void> {
  const directory = directoryOf(command.dataDirectory, command.instance);
  const log = new LogFile(directory.logs, { onFault: (error) => print(`The log cannot be written: ${String(error)}`) });
  const agent = await Agent.start({
    directory,
    log,
    uninstall: async () => startUninstaller(program, directory, command.instance),
  });
  print(`Agent of device ${agent.deviceId} runs; its log is in ${directory.logs}.`);
  const stop = (): void => {
    void agent.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await agent.untilStopped();
  await agent.stop();
  await log.flush();
}

/** Removes the agent from this machine. */
export async function runUninstall(command: Of<'uninstall'>, print: Print): Promise<void> {
  const directory = directoryOf(command.dataDirectory, command.instance);
  const wasInstalled = await removeData(directory);
  print(wasInstalled ? `The agent in ${directory.root} is uninstalled.` : `No agent is installed in ${directory.root}.`);
  if (mayManageServices()) await removeUnit(command.instance, runCommand);
}

/** Root on a Linux that systemd has booted: in a container there is none, whatever is installed. */
function mayManageServices(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/run/systemd/system');
}

/** A process of its own: this one is about to end. */
function startUninstaller(program: readonly string[], directory: DataDirectory, instance: string | undefined): void {
  const [file, ...first] = program;
  const args = [...first, 'uninstall', '--data-dir', directory.root, ...(instance === undefined ? [] : ['--instance', instance])];
  spawn(file, args, { detached: true, stdio: 'ignore' }).unref();
}

function directoryOf(named: string | undefined, instance: string | undefined): DataDirectory {
  return dataDirectory(named === undefined ? defaultDataDirectory(instance) : resolve(named));
}
