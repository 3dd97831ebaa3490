import type { Timestamp } from './wire/timestamp.js';
import { nullable, record } from './wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from './wire/limits.js';
import { binary, text, timestamp } from './wire/primitives.js';
import type { ContractType } from './wire/wire-type.js';

/** A DTO with a signature. `signing.ts` says which bytes are signed. */
export interface SignedDto<T> {
  dto: T;
  timestamp: Timestamp;
  signature: Uint8Array;
  publicKey: string | null;
}

/** The type of a signed `dto`. Its signature may have any length here; verification refuses a wrong one. */
export function signedDtoOf<T>(dto: ContractType<T>): ContractType<SignedDto<T>> {
  return record(
    `SignedDto<${dto.name}>`,
    'A DTO with an Ed25519 signature over it, its time and the public key.',
    { dto, timestamp, signature: binary(MAX_NAME_LENGTH), publicKey: nullable(text(MAX_IDENTIFIER_LENGTH)) },
    {
      timestamp: 'The time of the signature, by the clock of the device. All seven fraction digits count.',
      signature: '64 bytes.',
      publicKey: 'Standard base64 of the 32 bytes of the key.',
    },
  );
}
