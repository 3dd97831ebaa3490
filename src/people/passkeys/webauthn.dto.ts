import { Bool, Int, ListOf, Nested, Text, TextList } from '../../platform/http/binding/fields.js';

/*
 * The JSON forms of WebAuthn, as `toJSON()` of a credential writes them and as `parseCreationOptionsFromJSON()` and
 * `parseRequestOptionsFromJSON()` read them. Bytes are base64url. Members that the service does not need are left out; clients may send
 * them.
 */

const BASE64URL = /^[\w-]+$/;
/** Longest values in characters. The id of a credential has at most 1023 bytes; the others are several times longer than browsers send. */
const MAXIMUM = { credentialId: 1_364, clientData: 8_192, attestation: 32_768, authenticatorData: 8_192, signature: 4_096, userHandle: 86 };
const MAXIMUM_TRANSPORTS = 10;
const MAXIMUM_TRANSPORT_LENGTH = 32;

const CREDENTIAL_ID = 'Hc7lKrbYd8pJm0oV2fSg1w';
const CHALLENGE = 'xJ0k2mXcR7mC9u1o6Vt3QAGcsV0pAKp1pJ8m3hQ0w2yq0m7b1YlT5vR2eW8nZ4xK6dF9sG3hJ0';
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

export class PasskeyRelyingPartyDto {
  @Text('Domain name that the passkeys are bound to.', { example: 'devices.example' }) id: string;
  @Text('Name of the service, which authenticators show.', { example: 'Device Management' }) name: string;
}

export class PasskeyUserDto {
  @Text('Id of the user for passkeys, which says nothing about the person.', { example: 'AZpCfJ9KcXiOYB4kq2k3Wg' }) id: string;
  @Text('Name of the user, which authenticators show.', { example: 'anna@contoso.example' }) name: string;
  @Text('The same name.', { example: 'anna@contoso.example' }) displayName: string;
}

export class PasskeyParametersDto {
  @Text('Kind of the credential.', { example: 'public-key' }) type: string;
  @Int('COSE number of an accepted signature algorithm.', { example: -7 }) alg: number;
}

export class PasskeyDescriptorDto {
  @Text('Id of the credential.', { example: CREDENTIAL_ID }) id: string;
  @Text('Kind of the credential.', { example: 'public-key' }) type: string;
  @TextList('Transports by which a browser reaches the authenticator of the passkey.', {
    maxLength: MAXIMUM_TRANSPORT_LENGTH,
    example: ['internal'],
  })
  transports: string[];
}

export class PasskeySelectionDto {
  @Text('Passkeys are stored by the authenticator, so that it finds them without a user name.', { example: 'required' })
  residentKey: string;
  @Bool('The same for older browsers.') requireResidentKey: boolean;
  @Text('The authenticator asks its user for a PIN, a fingerprint or the like.', { example: 'required' }) userVerification: string;
}

/** Arguments of `navigator.credentials.create()`. */
export class PasskeyCreationOptionsDto {
  @Nested('The service.', () => PasskeyRelyingPartyDto) rp: PasskeyRelyingPartyDto;
  @Nested('The user.', () => PasskeyUserDto) user: PasskeyUserDto;
  @Text('Challenge that the authenticator signs. It is valid once, for 5 minutes, in the session that asked for it.', {
    example: CHALLENGE,
  })
  challenge: string;
  @ListOf('The accepted kinds of keys.', () => PasskeyParametersDto) pubKeyCredParams: PasskeyParametersDto[];
  @Int('Milliseconds until the challenge expires.', { example: 300_000 }) timeout: number;
  @ListOf('The passkeys of the user: an authenticator that has one of them makes no other.', () => PasskeyDescriptorDto)
  excludeCredentials: PasskeyDescriptorDto[];
  @Nested('Requirements for the authenticator.', () => PasskeySelectionDto) authenticatorSelection: PasskeySelectionDto;
  @Text("Attestation of the authenticator's manufacturer: `none` is asked for.", { example: 'none' }) attestation: string;
}

/** Arguments of `navigator.credentials.get()`. */
export class PasskeyRequestOptionsDto {
  @Text('Domain name that the passkeys are bound to.', { example: 'devices.example' }) rpId: string;
  @Text('Challenge that the authenticator signs. It is valid once, for 5 minutes, in the browser that asked for it.', {
    example: CHALLENGE,
  })
  challenge: string;
  @Int('Milliseconds until the challenge expires.', { example: 300_000 }) timeout: number;
  @ListOf('The passkeys to choose from; none where the authenticator is to find them.', () => PasskeyDescriptorDto)
  allowCredentials: PasskeyDescriptorDto[];
  @Text('The authenticator asks its user for a PIN, a fingerprint or the like.', { example: 'required' }) userVerification: string;
}

export class CreatedPasskeyResponseDto {
  @Text('Client data: the page and the challenge, as the browser saw them.', {
    pattern: BASE64URL,
    max: MAXIMUM.clientData,
    example: CLIENT_DATA,
  })
  clientDataJSON: string;
  @Text('The new public key. Its attestation is not checked.', {
    pattern: BASE64URL,
    max: MAXIMUM.attestation,
    example: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
  })
  attestationObject: string;
  @TextList('Transports by which a browser reaches the authenticator.', {
    max: MAXIMUM_TRANSPORTS,
    maxLength: MAXIMUM_TRANSPORT_LENGTH,
    default: [],
    example: ['internal', 'hybrid'],
  })
  transports: string[];
}

/** A new credential in the JSON form of WebAuthn. Its other members may be sent and are ignored. */
export class CreatedPasskeyDto {
  @Text('Id of the credential.', { pattern: BASE64URL, max: MAXIMUM.credentialId, example: CREDENTIAL_ID }) id: string;
  @Text('The same id.', { pattern: BASE64URL, max: MAXIMUM.credentialId, example: CREDENTIAL_ID }) rawId: string;
  @Text('Kind of the credential.', { pattern: /^public-key$/, example: 'public-key' }) type: string;
  @Nested('Answer of the authenticator.', () => CreatedPasskeyResponseDto) response: CreatedPasskeyResponseDto;
}

export class PasskeyAnswerResponseDto {
  @Text('Client data: the page and the challenge, as the browser saw them.', {
    pattern: BASE64URL,
    max: MAXIMUM.clientData,
    example: CLIENT_DATA,
  })
  clientDataJSON: string;
  @Text('Authenticator data: the service, the presence of the user, and the counter.', {
    pattern: BASE64URL,
    max: MAXIMUM.authenticatorData,
    example: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  })
  authenticatorData: string;
  @Text('Signature of both.', { pattern: BASE64URL, max: MAXIMUM.signature, example: 'MEUCIQDkq3nJ8n4zqYlqTq0m7QIgX1' }) signature: string;
  @Text('The user of the passkey. A sign-in needs it.', {
    nullable: true,
    pattern: BASE64URL,
    max: MAXIMUM.userHandle,
    example: 'AZpCfJ9KcXiOYB4kq2k3Wg',
  })
  userHandle: string | null;
}

/** The answer of a passkey in the JSON form of WebAuthn. Its other members may be sent and are ignored. */
export class PasskeyAnswerDto {
  @Text('Id of the credential.', { pattern: BASE64URL, max: MAXIMUM.credentialId, example: CREDENTIAL_ID }) id: string;
  @Text('The same id.', { pattern: BASE64URL, max: MAXIMUM.credentialId, example: CREDENTIAL_ID }) rawId: string;
  @Text('Kind of the credential.', { pattern: /^public-key$/, example: 'public-key' }) type: string;
  @Nested('Answer of the authenticator.', () => PasskeyAnswerResponseDto) response: PasskeyAnswerResponseDto;
}
