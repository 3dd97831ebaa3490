import { queryOptions } from '@tanstack/react-query';

import { ProblemError } from '../../problem/problem.js';
import { api, bodyOf, refusal, type Schemas } from '../client.js';

/*
 * Requests of people who are not signed in, and proofs of identity. What pages show after one is read with the new session.
 */

export type SignInAnswer = Schemas['SignInResponseDto'];

export const signIn = (body: Schemas['SignInRequestDto']): Promise<SignInAnswer> => bodyOf(api.POST('/account/sign-in', { body }));

/** Reads who is signed in now. */
export const readSession = () => bodyOf(api.GET('/account/session'));

export const signOut = (): Promise<unknown> => api.POST('/account/sign-out');

/** Proves again who the user is. */
export const stepUp = (body: Schemas['StepUpRequestDto']): Promise<unknown> => api.POST('/account/step-up', { body });

/** Registers an account. The outcome says if its address has to be confirmed first. */
export const register = async (body: { readonly email: string; readonly password: string }) =>
  (await bodyOf(api.POST('/account/register', { body }))).outcome;

/** Sends the mail again by which an address is confirmed. */
export const resendConfirmation = (email: string): Promise<unknown> => api.POST('/account/email/resend-confirmation', { body: { email } });

/** Confirms an address with the code of a mail, and returns it. */
export const confirmEmail = async (code: string) => (await bodyOf(api.POST('/account/email/confirm', { body: { code } }))).email;

/** Sends a mail with a link to choose a password, if there is an account. */
export const mailPasswordLink = (email: string): Promise<unknown> => api.POST('/account/password/forgot', { body: { email } });

/** Sets a password with the code of that mail. */
export const resetPassword = (code: string, newPassword: string): Promise<unknown> =>
  api.POST('/account/password/reset', { body: { code, newPassword } });

/** An invitation, as the invited person sees it. */
export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['invitation', code],
    queryFn: ({ signal }) => bodyOf(api.GET('/account/invites/{code}', { params: { path: { code } }, signal })),
  });

const ACCEPT = '/api/invites/accept';

/** Accepts an invitation: sets the password of the account, and signs in. */
export async function acceptInvitation(activationCode: string, email: string, password: string): Promise<void> {
  const response = await fetch(ACCEPT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ activationCode, email, password }),
  });
  if (!response.ok) throw await refusal(response, `POST ${ACCEPT}`);
  const { isSuccessful, errorMessage } = (await response.json()) as {
    readonly isSuccessful: boolean;
    readonly errorMessage: string | null;
  };
  if (!isSuccessful) throw new ProblemError(400, { detail: errorMessage ?? undefined });
}
