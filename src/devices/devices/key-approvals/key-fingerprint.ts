import { createHash } from 'node:crypto';

/** A short name of a device's key for people, as SSH writes it; null for no key. */
export function fingerprintOf(publicKey: string): string | null {
  if (publicKey === '') return null;
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
