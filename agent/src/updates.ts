import { BundleMetadataDto, RuntimeId } from '#libs/contracts';
import type { Log } from './logs/log.js';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_METADATA_BYTES = 64 * 1024;

/** The platform's name in the update routes, or undefined when no bundles are made for it. */
export function runtimeName(platform: NodeJS.Platform, architecture: string): keyof typeof RuntimeId.values | undefined {
  const names: Record<string, keyof typeof RuntimeId.values> = {
    'win32-ia32': 'WinX86',
    'win32-x64': 'WinX64',
    'darwin-arm64': 'MacOsArm64',
    'darwin-x64': 'MacOsX64',
    'linux-x64': 'LinuxX64',
  };
  return names[`${platform}-${architecture}`];
}

/** Looks up what the server has published for this platform and logs it. This agent does not replace itself. */
export async function checkForUpdate(serverUri: string, log: Log, signal: AbortSignal): Promise<void> {
  const runtime = runtimeName(process.platform, process.arch);
  if (runtime === undefined) return log.info('There are no update bundles for this platform.');
  const uri = new URL(`/api/agent/updates/get-bundle-metadata/${runtime}`, serverUri);
  const response = await fetch(uri, { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) });
  if (response.status === 404) return log.info('The server has published no update for this platform.');
  if (!response.ok) throw new Error(`The server answered the update check with ${response.status}.`);
  const bundle = BundleMetadataDto.decode(JSON.parse(await limitedText(response, MAX_METADATA_BYTES)), 'json');
  log.info(`The server has published version ${bundle.version} (${bundle.bundleSha256}) at ${bundle.bundleDownloadUrl}.`);
}

/** The body as text. Throws when it is larger than `limit` bytes. */
export async function limitedText(response: Response, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > limit) throw new Error(`The server's answer is larger than ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
