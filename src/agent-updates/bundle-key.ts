import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { hasCode } from '../common/system-error.js';
import { Settings } from '../config/settings.js';

const FILE = 'agent-bundle-key.pem';

/**
 * The Ed25519 key that signs bundles. It is made when it is first needed, and stays in the data folder: agents take updates that are
 * signed with the key that they met at their installation, and no others.
 */
@Injectable()
export class BundleKey {
  private key: Promise<KeyObject> | undefined;
  private readonly path: string;

  constructor(settings: Settings) {
    this.path = join(settings.dataPath, FILE);
  }

  /** Signature and public key, both in standard base64. */
  async sign(text: string): Promise<{ readonly publicKey: string; readonly signature: string }> {
    this.key ??= readOrMake(this.path);
    const key = await this.key.catch((error: unknown) => {
      // Read again when it is needed next: the operator may have mended it.
      this.key = undefined;
      throw error;
    });
    return { publicKey: rawPublicKey(key), signature: sign(null, Buffer.from(text), key).toString('base64') };
  }
}

async function readOrMake(path: string): Promise<KeyObject> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const { privateKey } = generateKeyPairSync('ed25519');
    // Not written over: another process may have made one just now.
    await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600, flush: true });
    return privateKey;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const key = createPrivateKey(await readFile(path));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} must hold an Ed25519 key.`);
  return key;
}

function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}
