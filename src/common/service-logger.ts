import { ConsoleLogger, type LogLevel } from '@nestjs/common';

import type { Settings } from '../config/settings.js';

/** What the framework tells of its own start: a line for each module, route and hub method, of no use to an operator. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver', 'WebSocketsController']);

/** What the framework says, with a stack, of a start that fails: `main` says what an operator needs to know of it. */
const FAILED_START = new Set(['ExceptionHandler', 'NestApplication', 'TypeOrmModule']);

/** The log of the service: its own lines and every warning and error, without the framework's account of its start. */
export class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...parameters: unknown[]): void {
    const context = parameters.at(-1);
    if (typeof context === 'string' && FRAMEWORK.has(context)) this.debug(message, ...parameters);
    else super.log(message, ...parameters);
  }

  override error(message: unknown, ...parameters: unknown[]): void {
    const context = parameters.at(-1);
    if (typeof context === 'string' && FAILED_START.has(context)) this.debug(message, ...parameters);
    else super.error(message, ...parameters);
  }
}

const LEVELS: readonly LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];
const LEAST_LEVEL: Readonly<Record<Settings['logging']['level'], LogLevel | null>> = {
  Trace: 'verbose',
  Debug: 'debug',
  Information: 'log',
  Warning: 'warn',
  Error: 'error',
  Critical: 'fatal',
  None: null,
};

/** The log as the operator wants it: from which level on, and as lines for people or as one JSON object a line. */
export function createLogger({ level, format }: Settings['logging'], { isTerminal }: { readonly isTerminal: boolean }): ServiceLogger {
  const least = LEAST_LEVEL[level];
  return new ServiceLogger('Service', {
    logLevels: least === null ? [] : LEVELS.slice(LEVELS.indexOf(least)),
    json: format === 'Json',
    // A log that is kept in a file or by a supervisor is text.
    colors: isTerminal && format === 'Text',
    // One entry, one line: also when it has members.
    compact: true,
    breakLength: Infinity,
  });
}
