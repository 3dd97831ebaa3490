import type { Calls } from './program.js';

/** A message from the bench to a program. */
export interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

/** The answer of a program. */
export interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Lets the bench call these functions of this process. The process ends with the bench. */
export function serveCalls(calls: Calls): void {
  process.on('message', ({ id, name, argument }: Call) => void answer(calls, id, name, argument));
  process.once('disconnect', () => process.exit(0));
}

async function answer(calls: Calls, id: number, name: string, argument: unknown): Promise<void> {
  try {
    const value: unknown = await calls[name](argument as never);
    reply({ id, value });
  } catch (error) {
    reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function reply(message: Reply): void {
  process.send?.(message);
}
