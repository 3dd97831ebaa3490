import { queryOptions } from '@tanstack/react-query';

import { NOT_ASKED, ProblemError } from '../../problem/problem.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ACCOUNT_CHANGES } from './account.js';

/*
 * Passkeys by the browser's own JSON forms. `parseRequestOptionsFromJSON` and `toJSON` read and write the JSON that the service exchanges.
 */

export type Passkey = Schemas['PasskeyDto'];
type Answer = Schemas['PasskeyAnswerDto'];

/** True if this browser can use passkeys in the JSON form. */
export const passkeysSupported = (): boolean =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** True if this browser offers passkeys while a field is filled in. */
export const passkeysAutofill = async (): Promise<boolean> =>
  passkeysSupported() && (await PublicKeyCredential.isConditionalMediationAvailable());

/** Lets the authenticator answer; null if the user dismissed it. */
async function answerTo(options: Schemas['PasskeyRequestOptionsDto'], extra: CredentialRequestOptions): Promise<Answer | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  try {
    const credential = await navigator.credentials.get({ publicKey, ...extra });
    return credential instanceof PublicKeyCredential ? (credential.toJSON() as unknown as Answer) : null;
  } catch (error) {
    // The user closed the dialog, or the page began another ceremony.
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null;
    // The browser gives its reason for not using passkeys, such as a name of the service that it does not take for secure.
    throw error instanceof DOMException ? new ProblemError(NOT_ASKED, { detail: error.message }) : error;
  }
}

/**
 * Signs in with a passkey; null if the user dismissed it. With `mediation: 'conditional'` it waits until one is chosen in a field. The
 * chosen passkey is sent, after `onChosen`, unless the signal fired before.
 */
export async function signInWithPasskey(
  extra: CredentialRequestOptions = {},
  onChosen?: () => void,
): Promise<Schemas['SignInResponseDto'] | null> {
  const answer = await answerTo(await bodyOf(api.POST('/account/passkeys/sign-in-options')), extra);
  if (answer === null || extra.signal?.aborted === true) return null;
  onChosen?.();
  return bodyOf(api.POST('/account/passkeys/sign-in', { body: answer }));
}

/** Proves again who the user is; false if they dismissed it. */
export async function stepUpWithPasskey(): Promise<boolean> {
  const answer = await answerTo(await bodyOf(api.POST('/account/step-up/passkey-options')), {});
  if (answer === null) return false;
  await api.POST('/account/step-up/passkey', { body: answer });
  return true;
}

const storePasskey = mutation(ACCOUNT_CHANGES, (body: Schemas['AddPasskeyRequestDto']) => bodyOf(api.POST('/account/passkeys', { body })));

/** Makes a passkey and stores it under a name; null if the user dismissed it. */
export async function addPasskey(name: string): Promise<Passkey | null> {
  const options = await bodyOf(api.POST('/account/passkeys/registration-options'));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
  try {
    const credential = await navigator.credentials.create({ publicKey });
    if (!(credential instanceof PublicKeyCredential)) return null;
    return await storePasskey({ name, credential: credential.toJSON() as unknown as Schemas['CreatedPasskeyDto'] });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null;
    throw error;
  }
}

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/passkeys', { signal })),
});

export const renamePasskey = mutation(ACCOUNT_CHANGES, (id: string, name: string) =>
  api.PUT('/account/passkeys/{id}', { params: { path: { id } }, body: { name } }),
);

export const removePasskey = mutation(ACCOUNT_CHANGES, (id: string) => api.DELETE('/account/passkeys/{id}', { params: { path: { id } } }));
