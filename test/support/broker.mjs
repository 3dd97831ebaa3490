import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/*
 * What is made once for the whole run, and only when a spec file asks for it. A broker lives in jest's own process,
 * behind a socket that the spec files find through the environment: each connection is answered with one line of JSON.
 */

/**
 * Offers what `prepare(folder)` gives, made at the first demand, under the name of an environment variable.
 * @returns what closes the broker, waits for a preparation that has begun and hands over its result
 */
export async function offer(variable, prepare) {
  const folder = await mkdtemp(join(tmpdir(), 'test-broker-'));
  await chmod(folder, 0o755);
  let prepared;
  const path = process.platform === 'win32' ? join('\\\\.\\pipe', folder) : join(folder, 'broker.sock');
  const broker = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    prepared ??= prepare(folder);
    prepared.then(
      ({ answer }) => socket.end(JSON.stringify(answer)),
      (error) => socket.end(JSON.stringify({ error: error.stack })),
    );
  });
  await new Promise((resolve, reject) => {
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
