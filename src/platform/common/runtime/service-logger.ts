import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { trace } from '@opentelemetry/api';

import type { Settings } from '../../config/settings.js';

/** Log contexts of the framework's start, which writes a line per module, route and hub method that no operator needs. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver', 'WebSocketsController']);

/** Log context of the framework's report on a failed start. It is dropped, because `main` prints a clearer one. */
const FAILED_START = new Set(['ExceptionHandler', 'NestApplication', 'TypeOrmModule']);

type Level = Settings['logging']['level'];

/** The log of the service: its own lines and every warning and error, without the framework's lines about its start. */
export class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...parameters: unknown[]): void {
    const context = parameters.at(-1);
    if (typeof context === 'string' && FRAMEWORK.has(context)) this.debug(message, ...parameters);
    else super.log(message, ...parameters);
  }

  /** Adds the id of the trace in which the line was written, where traces are sent. */
  protected override getJsonLogObject(
    message: unknown,
    options: Parameters<ConsoleLogger['getJsonLogObject']>[1],
  ): ReturnType<ConsoleLogger['getJsonLogObject']> {
    const line = super.getJsonLogObject(message, options);
    const traceId = trace.getActiveSpan()?.spanContext().traceId;
    return traceId === undefined ? line : { ...line, traceId };
  }

  override error(message: unknown, ...parameters: unknown[]): void {
    const context = parameters.at(-1);
    if (typeof context === 'string' && FAILED_START.has(context)) this.debug(message, ...parameters);
    else super.error(message, ...parameters);
  }

  /** Writes messages of this level and above from now on. */
  setLevel(level: Level): void {
    this.setLogLevels([...levelsFrom(level)]);
  }
}

const LEVELS: readonly LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];
const LEAST_LEVEL: Readonly<Record<Level, LogLevel | null>> = {
  Trace: 'verbose',
  Debug: 'debug',
  Information: 'log',
  Warning: 'warn',
  Error: 'error',
  Critical: 'fatal',
  None: null,
};

function levelsFrom(level: Level): readonly LogLevel[] {
  const least = LEAST_LEVEL[level];
  return least === null ? [] : LEVELS.slice(LEVELS.indexOf(least));
}

/** The one of two levels that writes more. */
export function lowerLevel(one: Level, other: Level): Level {
  return levelsFrom(one).length > levelsFrom(other).length ? one : other;
}

/** A logger with the configured level and format: lines for people, or one JSON object per line. */
export function createLogger({ level, format }: Settings['logging'], { isTerminal }: { readonly isTerminal: boolean }): ServiceLogger {
  return new ServiceLogger('Service', {
    logLevels: [...levelsFrom(level)],
    json: format === 'Json',
    // No colours in a file or in a supervisor's log.
    colors: isTerminal && format === 'Text',
    // An entry with members is also written as one line.
    compact: true,
    breakLength: Infinity,
  });
}
