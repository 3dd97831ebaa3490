import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AgentBundle } from '#libs/contracts';
import { BundleError } from './offered-bundle.js';

/** A download in which nothing arrives for this time is given up. It may take hours on a slow line. */
const SILENCE_MS = 2 * 60_000;

/** Checks in a row without new bytes. Checks are counted instead of time, so that a machine that stood still reads first what has arrived. */
const SILENT_CHECKS = 8;

/**
 * Downloads a bundle into a file. `silenceMs` is for tests.
 * @throws BundleError when its size or hash is not the described one, or nothing more of it comes
 */
export async function downloadBundle(
  serverUri: string,
  bundle: AgentBundle,
  target: string,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<void> {
  const silence = new AbortController();
  let silentChecks = 0;
  const timer = setInterval(() => {
    silentChecks += 1;
    if (silentChecks >= SILENT_CHECKS) silence.abort(new BundleError('The server sends nothing more of the bundle.'));
  }, silenceMs / SILENT_CHECKS);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* checked(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const part of body) {
      silentChecks = 0;
      bytes += part.length;
      if (bytes > bundle.size) throw new BundleError(`The bundle is larger than the ${bundle.size} bytes that the server described.`);
      hash.update(part);
      yield part;
    }
  }
  try {
    const response = await fetch(new URL(bundle.downloadUrl, serverUri), {
      redirect: 'error',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || response.body === null) throw new BundleError(`The server answered the download with ${response.status}.`);
    await pipeline(checked(response.body), createWriteStream(target, { mode: 0o600, flush: true }));
  } finally {
    clearInterval(timer);
  }
  const actual = hash.digest('hex');
  if (actual !== bundle.sha256) throw new BundleError(`The bundle has the hash ${actual} instead of ${bundle.sha256}.`);
}
