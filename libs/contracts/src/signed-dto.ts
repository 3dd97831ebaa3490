import type { Timestamp } from './wire/timestamp.js';
import { nullable, record } from './wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from './wire/limits.js';
import { binary, text, timestamp } from './wire/primitives.js';
import type { ContractType } from './wire/wire-type.js';

/** A DTO with a signature over it, its time and the public key (see signing.ts). */
export interface SignedDto<T> {
  dto: T;
  timestamp: Timestamp;
  /** 64 bytes, Ed25519. A wrong length is for the verification to refuse. */
  signature: Uint8Array;
  /** Standard base64 of the 32 bytes of the key. */
  publicKey: string | null;
}

export function signedDtoOf<T>(dto: ContractType<T>): ContractType<SignedDto<T>> {
  const members = { dto, timestamp, signature: binary(MAX_NAME_LENGTH), publicKey: nullable(text(MAX_IDENTIFIER_LENGTH)) };
  return record(`SignedDto<${dto.name}>`, members);
}
