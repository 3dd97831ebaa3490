import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Resources that are made once for the whole run, and only when a spec file asks for them. A broker lives in the main process of the run,
 * behind a socket that the spec files find through the environment: each connection is answered with one line of JSON.
 */

/** Resource that a broker has made: its answer to those who ask, and its release at the end of the run. */
export interface Prepared {
  readonly answer: object;
  readonly release?: () => Promise<void>;
}

/**
 * Offers what `prepare(folder)` makes at the first demand, under the name of an environment variable.
 * @returns a function that closes the broker, waits for a preparation that has begun, and releases its result
 */
export async function offer(variable: string, prepare: (folder: string) => Promise<Prepared>): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'test-broker-'));
  await chmod(folder, 0o755);
  let prepared: Promise<Prepared> | undefined;
  const path = process.platform === 'win32' ? join('\\\\.\\pipe', folder) : join(folder, 'broker.sock');
  const broker = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    prepared ??= prepare(folder);
    prepared.then(
      ({ answer }) => socket.end(JSON.stringify(answer)),
      (error: Error) => socket.end(JSON.stringify({ error: error.stack })),
    );
  });
  await new Promise<void>((resolve, reject) => {
    broker.once('error', reject);
    broker.listen(path, resolve);
  });
  process.env[variable] = path;
  return async () => {
    await new Promise((resolve) => {
      broker.close(resolve);
    });
    const made = await prepared?.catch(() => undefined);
    await made?.release?.();
    await rm(folder, { recursive: true, force: true });
  };
}
