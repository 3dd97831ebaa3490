import type { isoCBOR } from '@simplewebauthn/server/helpers';

import { messageOf } from '../../platform/common/errors/errors.js';
import { CHALLENGE_LIFETIME_MS } from './passkey-challenges.js';
import { PasskeyDeviceType, type Passkey } from './passkey.entity.js';
import type { RelyingParty } from './relying-party.js';
import type { CreatedPasskeyDto, PasskeyAnswerDto, PasskeyCreationOptionsDto, PasskeyRequestOptionsDto } from './webauthn.dto.js';

/** An authenticator's report of a passkey that it made. */
export type CreatedPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'deviceType' | 'isBackedUp'>;

/** An authenticator's report of a passkey that it used. */
export type UsedPasskey = Pick<Passkey, 'counter' | 'isBackedUp'>;

/** The outcome of a check. The reason is for the log of the service, not for the caller. */
export type Checked<T> = { readonly value: T; readonly reason?: never } | { readonly value?: never; readonly reason: string };

type CborValue = Parameters<typeof isoCBOR.encode>[0];

/**
 * EdDSA, ES256 and RS256, by their numbers in COSE. Every authenticator knows one of them. A fixed list: nodes on different versions of
 * Node.js must accept the same passkeys.
 */
const ALGORITHMS = [-8, -7, -257];

/** Most passkeys that browsers take in a list. */
const MAXIMUM_DESCRIPTORS = 64;

/** The library that checks passkeys. Loaded with the first one: that takes a sixth of a start, and most processes never see one. */
async function library(): Promise<typeof import('@simplewebauthn/server') & typeof import('@simplewebauthn/server/helpers')> {
  const [checks, helpers] = await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]);
  return { ...checks, ...helpers };
}

/** User handle, by which a passkey names its user: the bytes of the user's id, which say nothing about the person. */
export function handleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The id of a credential as the database keeps it. */
export function credentialIdOf({ id }: PasskeyAnswerDto): Buffer {
  return Buffer.from(id, 'base64url');
}

/** Returns the options for making a passkey that is found without a user name and asks its user for a PIN or a fingerprint. */
export function creationOptions(
  { id, name }: RelyingParty,
  user: { readonly id: string; readonly userName: string },
  known: readonly Passkey[],
  challenge: Buffer,
): PasskeyCreationOptionsDto {
  return {
    rp: { id, name },
    user: { id: handleOf(user.id), name: user.userName, displayName: user.userName },
    challenge: challenge.toString('base64url'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_LIFETIME_MS,
    // The newest ones: a user who adds a second passkey for the same device does so soon.
    excludeCredentials: known.slice(-MAXIMUM_DESCRIPTORS).map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

/** Returns the options for an answer with one of these passkeys. With none or too many, it offers all of the service. */
export function requestOptions({ id }: RelyingParty, allowed: readonly Passkey[], challenge: Buffer): PasskeyRequestOptionsDto {
  return {
    rpId: id,
    challenge: challenge.toString('base64url'),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: allowed.length > MAXIMUM_DESCRIPTORS ? [] : allowed.map(descriptorOf),
    userVerification: 'required',
  };
}

/** The challenge that an authenticator has signed; null when it cannot be read, or when the page was framed by one of another origin. */
export async function challengeIn({ response }: CreatedPasskeyDto | PasskeyAnswerDto): Promise<string | null> {
  const { decodeClientDataJSON } = await library();
  try {
    const { challenge, crossOrigin }: { readonly challenge: unknown; readonly crossOrigin?: unknown } = decodeClientDataJSON(
      response.clientDataJSON,
    );
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

/** Checks a new passkey. Its challenge must have been read. */
export async function checkCreated(created: CreatedPasskeyDto, challenge: string, party: RelyingParty): Promise<Checked<CreatedPasskey>> {
  const { verifyRegistrationResponse } = await library();
  return checked(async () => {
    const { clientDataJSON, attestationObject, transports } = created.response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: created.id,
        rawId: created.rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: await withoutAttestation(attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error('The attestation is wrong.');
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (credential.id !== created.id) throw new Error('The passkey has another id than its attestation says.');
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports,
      deviceType: credentialDeviceType === 'multiDevice' ? PasskeyDeviceType.MultiDevice : PasskeyDeviceType.SingleDevice,
      isBackedUp: credentialBackedUp,
    };
  });
}

/**
 * Checks that an answer was signed with this passkey, for this service, after its user was verified. Whether the counter has grown is
 * {@link countsOn}, so that only a holder of the key can make the passkey look copied.
 */
export async function checkAnswer(
  answer: PasskeyAnswerDto,
  passkey: Passkey,
  challenge: string,
  party: RelyingParty,
): Promise<Checked<UsedPasskey>> {
  const { verifyAuthenticationResponse } = await library();
  return checked(async () => {
    const { clientDataJSON, authenticatorData, signature } = answer.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: answer.id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    });
    if (!verified) throw new Error('The signature is wrong.');
    return { counter: String(authenticationInfo.newCounter), isBackedUp: authenticationInfo.credentialBackedUp };
  });
}

/** Checks that a counter may follow the stored one. One that does not grow belongs to a copied authenticator; some never count. */
export function countsOn(stored: string, next: string): boolean {
  return Number(next) > Number(stored) || (Number(next) === 0 && Number(stored) === 0);
}

/** Runs a check of the library, which throws for every fault of the caller's answer, and returns the fault as a reason. */
async function checked<T>(check: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { value: await check() };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/**
 * The attestation object without its maker's statement, which was not requested: checking it would fetch the addresses that its
 * certificates name.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await library();
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const bare = new Map<string | number, CborValue>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}

function descriptorOf({ credentialId, transports }: Passkey): PasskeyRequestOptionsDto['allowCredentials'][number] {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports };
}
