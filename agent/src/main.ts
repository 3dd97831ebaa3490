#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { parseCommand, USAGE, UsageError } from './cli/arguments.js';
import { runAgent, runInstall, runUninstall } from './cli/commands.js';
import { forgetKeySecret } from './cli/key-secret.js';
import { CommandError } from './commands.js';
import { isSystemFault, messageOf } from './failures.js';
import { RegistrationError } from './registration.js';
import { Program } from './service/program.js';
import { RunningAgentError } from './service/running-agents.js';
import { EXIT_UNUSABLE_SETTINGS } from './service/systemd.js';
import { SettingsError, UnreadSettingsError } from './settings.js';

/** As the launcher of a bundle starts the agent: with little memory for young objects, which are mostly pieces of files. */
const NODE_OPTIONS = ['--max-semi-space-size=2'];
const EXIT_FAILED = 1;
const EXIT_USAGE = 64;

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env);
  await forgetKeySecret();
  const mainFile = fileURLToPath(import.meta.url);
  const installed = Program.of(mainFile);
  const program = installed === undefined ? [process.execPath, ...NODE_OPTIONS, mainFile] : [installed.launcher];
  const print = (line: string): void => console.log(line);
  switch (command.kind) {
    case 'help':
      return print(USAGE);
    case 'install':
      return runInstall(command, program, installed, print);
    case 'run':
      await runAgent(command, installed, print);
      // A program that it has started and that hangs would hold it, and the launcher would never start the update.
      return process.exit();
    case 'uninstall':
      return runUninstall(command, installed, print);
  }
}

/** Prints errors that the operator can fix as a sentence, and all others with their stack. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  const isExpected =
    [CommandError, RegistrationError, RunningAgentError, SettingsError, UnreadSettingsError].some((kind) => error instanceof kind) ||
    isSystemFault(error);
  console.error(isExpected ? messageOf(error) : error);
  return error instanceof SettingsError ? EXIT_UNUSABLE_SETTINGS : EXIT_FAILED;
}

try {
  await main();
} catch (error) {
  process.exitCode = report(error);
}
