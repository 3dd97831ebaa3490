import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AgentBundle } from '#libs/contracts';
import { BundleError } from './offered-bundle.js';

const DOWNLOAD_TIMEOUT_MS = 15 * 60_000;

/** Downloads a bundle into a file. @throws BundleError when its size or hash is not the described one */
export async function downloadBundle(serverUri: string, bundle: AgentBundle, target: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(new URL(bundle.downloadUrl, serverUri), {
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]),
  });
  if (!response.ok || response.body === null) throw new BundleError(`The server answered the download with ${response.status}.`);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* checked(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > bundle.size) throw new BundleError(`The bundle is larger than the ${bundle.size} bytes that the server described.`);
      hash.update(part);
      yield part;
    }
  }
  await pipeline(checked(response.body), createWriteStream(target, { mode: 0o600, flush: true }));
  const actual = hash.digest('hex');
  if (actual !== bundle.sha256) throw new BundleError(`The bundle has the hash ${actual} instead of ${bundle.sha256}.`);
}
