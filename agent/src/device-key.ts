import { createHash } from 'node:crypto';

import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { fromBase64, toBase64 } from '#libs/contracts';

/** The Ed25519 key of this device. */
export class DeviceKey {
  private constructor(
    private readonly seed: Uint8Array,
    /** Standard base64 of the 32 bytes of the public key. */
    readonly publicKey: string,
  ) {}

  static async generate(): Promise<DeviceKey> {
    return DeviceKey.fromSeed(utils.randomSecretKey());
  }

  /** Reads the base64 seed of the settings, which settings.ts has checked. */
  static async fromBase64(seed: string): Promise<DeviceKey> {
    const bytes = fromBase64(seed);
    if (bytes === undefined) throw new TypeError('The private key is no base64.');
    return DeviceKey.fromSeed(bytes);
  }

  private static async fromSeed(seed: Uint8Array): Promise<DeviceKey> {
    return new DeviceKey(seed, toBase64(await getPublicKeyAsync(seed)));
  }

  /** The seed in base64: secret, for the settings file only. */
  get privateKey(): string {
    return toBase64(this.seed);
  }

  /** A short name of the key for people, which the server shows as well: `SHA256:` and the base64 of the hash of the public key. */
  get fingerprint(): string {
    const digest = createHash('sha256').update(Buffer.from(this.publicKey, 'base64')).digest('base64');
    return `SHA256:${digest.replace(/=+$/, '')}`;
  }

  /** 64 bytes over the message. */
  async sign(message: Uint8Array): Promise<Uint8Array> {
    return signAsync(message, this.seed);
  }
}
