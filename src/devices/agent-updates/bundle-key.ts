import { createPrivateKey, createPublicKey, randomBytes, sign, timingSafeEqual, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { SECRET_BYTES, ServerSecrets, type StoredSecret } from '../../access/authentication/server-secrets/server-secrets.js';
import { hasCode } from '../../platform/common/errors/system-error.js';
import { Settings } from '../../platform/config/settings.js';
import { BundleKeyError } from './bundle-key-error.js';

/** File of the key in the data folder, where earlier versions stored it. */
const FILE = 'agent-bundle-key.pem';
/** The DER header of an Ed25519 private key (RFC 8410), before its 32 bytes. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The Ed25519 key that signs bundles. It is in the database: agents take updates that are signed with the key that they met at their
 * installation, and no others, whichever process describes the bundle. A key in the data folder is taken over at the first start.
 */
@Injectable()
export class BundleKey implements OnModuleInit {
  private readonly path: string;
  private key: KeyObject | undefined;

  constructor(
    settings: Settings,
    private readonly secrets: ServerSecrets,
  ) {
    this.path = bundleKeyFile(settings.dataPath);
  }

  /** @throws BundleKeyError when the data folder has another key than the database */
  async onModuleInit(): Promise<void> {
    const seed = await seedIn(this.path);
    const made = { value: seed ?? randomBytes(SECRET_BYTES), source: seed === null ? null : `${this.path} on ${hostname()}` };
    const stored = await this.secrets.storeOnce('AgentBundles', made);
    requireSame(this.path, seed, stored);
    this.key = privateKeyOf(stored.value);
  }

  /** Signature and public key, both in standard base64. */
  sign(text: string): { readonly publicKey: string; readonly signature: string } {
    const { key } = this;
    if (key === undefined) throw new Error('The key of agent bundles is not read yet.');
    return { publicKey: rawPublicKey(key), signature: sign(null, Buffer.from(text), key).toString('base64') };
  }
}

/** Path of the file in a data folder. */
export const bundleKeyFile = (dataPath: string): string => join(dataPath, FILE);

/** @throws BundleKeyError when a data folder has another key than the database */
export async function requireSameBundleKey(dataPath: string, stored: StoredSecret): Promise<void> {
  const path = bundleKeyFile(dataPath);
  requireSame(path, await seedIn(path), stored);
}

/** The 32 bytes of the public key for a stored key. */
export function publicBundleKey(stored: Buffer): Buffer {
  return Buffer.from(rawPublicKey(privateKeyOf(stored)), 'base64');
}

function requireSame(path: string, seed: Buffer | null, stored: StoredSecret): void {
  if (seed !== null && !timingSafeEqual(seed, stored.value)) throw new BundleKeyError(differs(path, stored));
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
}

/** The 32 bytes of the key in a file; null when there is none. */
async function seedIn(path: string): Promise<Buffer | null> {
  let pem: Buffer;
  try {
    pem = await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  const key = readKey(pem);
  if (key?.asymmetricKeyType !== 'ed25519') throw new BundleKeyError(`${path} must hold an Ed25519 key.`);
  return Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url');
}

function readKey(pem: Buffer): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

function differs(path: string, { source }: StoredSecret): string {
  const other = source === null ? 'was made there' : `was taken over from ${source}`;
  return `${path} holds another key for agent updates than the database, whose key ${other}. Agents take updates of one key only: move the file away to go on with the key of the database.`;
}

function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}
