import { loadSettings } from '../../platform/config/load-settings.js';
import type { Settings } from '../../platform/config/settings.js';

/** A wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes of a program that ended a job early because of a signal: 128 plus the number of the signal. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const FAILURE = 1;
const WRONG_USAGE = 2;

/** The last output of a program, and its exit code. */
interface Result {
  readonly output: string;
  readonly exitCode: number;
}

/** A program that an operator runs. */
export interface OperatorProgram<Options> {
  readonly usage: string;
  /** Reads the command line. @throws UsageError, or the error of `parseArgs` */
  readonly options: (args: readonly string[]) => Options;
  /** Does the work and returns what to print, with an exit code if it is not 0. */
  readonly run: (options: Options, settings: Settings, signal: AbortSignal) => Promise<string | Result>;
  /** Exit code when an error ended the work; 1 by default. */
  readonly failure?: number;
  /** The text for an error. */
  readonly explain: (error: unknown) => string;
}

/** Runs a program with the configuration of the service, and sets the exit code. */
export async function runProgram<Options>({ usage, options, run, explain, failure = FAILURE }: OperatorProgram<Options>): Promise<void> {
  let read: Options;
  try {
    read = options(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exitCode = WRONG_USAGE;
    return;
  }
  const stopped = new AbortController();
  let signalCode: number | undefined;
  for (const [name, code] of Object.entries(SIGNAL_EXIT_CODES)) {
    process.on(name, () => {
      signalCode = code;
      stopped.abort();
    });
  }
  try {
    const { settings, warnings } = loadSettings({ env: process.env, cwd: process.cwd() });
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
    const result = await run(read, settings, stopped.signal);
    const { output, exitCode } = typeof result === 'string' ? { output: result, exitCode: 0 } : result;
    process.stdout.write(`${output}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = signalCode ?? failure;
  }
}
