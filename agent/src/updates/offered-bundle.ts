import { createHash, createPublicKey, verify } from 'node:crypto';
import { bundlePlatform, signedBundleText, type AgentBundle } from '#libs/contracts';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_DESCRIPTION_BYTES = 64 * 1024;
/** Limit far above any bundle, which has some 40 MB. */
const MAX_BUNDLE_BYTES = 512 * 1024 * 1024;

/** A bundle that must not be installed; the message says why. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** Returns the server's bundle for this platform; undefined if it offers none. The signature is not checked yet. */
export async function offeredBundle(serverUri: string, signal: AbortSignal): Promise<AgentBundle | undefined> {
  const platform = bundlePlatform(process.platform, process.arch);
  const response = await fetch(new URL(`/downloads/${platform}/device-agent.json`, serverUri), {
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) throw new BundleError(`The server answered the update check with ${response.status}.`);
  const bundle = parseBundle(JSON.parse(await limitedText(response, MAX_DESCRIPTION_BYTES)));
  if (bundle.runtime !== platform) throw new BundleError(`The server offers a bundle for ${bundle.runtime} instead of ${platform}.`);
  return bundle;
}

/** @throws BundleError unless the bundle is signed, and with the key that was pinned when one was */
export function requireSignature(bundle: AgentBundle, pinnedKey: string): void {
  if (bundle.publicKey !== pinnedKey) {
    throw new BundleError(
      `The server signs updates with the key ${fingerprintOf(bundle.publicKey)}, but ${fingerprintOf(pinnedKey)} was there when the agent ` +
        'was installed. If the key was replaced on purpose, install the agent again.',
    );
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bundle.publicKey, 'base64').toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  if (!verify(null, Buffer.from(signedBundleText(bundle)), key, Buffer.from(bundle.signature, 'base64'))) {
    throw new BundleError(`The signature of the bundle ${bundle.sha256} is wrong.`);
  }
}

/** A short name of a key for people: `SHA256:` and the base64 of its hash. */
export function fingerprintOf(publicKey: string): string {
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

function parseBundle(raw: unknown): AgentBundle {
  const fields = new Map<string, unknown>(Object.entries(raw ?? {}));
  const text = (name: string, form: RegExp): string => {
    const value = fields.get(name);
    if (typeof value !== 'string' || !form.test(value)) throw new BundleError(`The description of the bundle has no usable ${name}.`);
    return value;
  };
  const size = fields.get('size');
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1 || size > MAX_BUNDLE_BYTES) {
    throw new BundleError(`The bundle must have 1 to ${MAX_BUNDLE_BYTES} bytes, not ${String(size)}.`);
  }
  return {
    runtime: text('runtime', /^[a-z0-9-]{1,50}$/),
    version: text('version', /^\d{1,9}(\.\d{1,9}){1,3}$/),
    downloadUrl: text('downloadUrl', /^\/[^/]/),
    size,
    sha256: text('sha256', /^[0-9a-f]{64}$/),
    publicKey: text('publicKey', /^[A-Za-z0-9+/]{43}=$/),
    signature: text('signature', /^[A-Za-z0-9+/]{86}==$/),
  };
}

/** The body as text. Throws when it is larger than `limit` bytes. */
async function limitedText(response: Response, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > limit) throw new Error(`The server's answer is larger than ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
