import * as client from 'openid-client';

import { traceCall } from '../../platform/http/outgoing-traces.js';
import { ExternalSignInError } from './external-provider.js';

/** Time-out of one call to a provider, in seconds. */
export const PROVIDER_TIMEOUT_SECONDS = 5;
/** Longest answer of a provider that is read, in bytes. */
const MAXIMUM_ANSWER_BYTES = 512 * 1024;

/** Calls a provider as `fetch` does, within the current trace, and reads no more than the limit. */
export const fetchBounded: client.CustomFetch = (url, options) =>
  traceCall({ url, method: options.method }, (headers) => readBounded(url, { ...options, headers: { ...options.headers, ...headers } }));

async function readBounded(url: string, { body, ...options }: client.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, { ...options, ...(body == null ? {} : { body }) });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > MAXIMUM_ANSWER_BYTES) throw new TypeError(`The answer is longer than ${MAXIMUM_ANSWER_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** Translates a failed call to a provider into the error for the person who wanted to sign in. */
export function providerError(error: unknown): ExternalSignInError {
  if (error instanceof ExternalSignInError) return error;
  return new ExternalSignInError(codeOf(error), { cause: error });
}

function codeOf(error: unknown): 'Denied' | 'ProviderUnavailable' | 'ProviderFailed' {
  if (error instanceof client.AuthorizationResponseError) return error.error === 'access_denied' ? 'Denied' : 'ProviderFailed';
  const isServerFault = error instanceof client.ResponseBodyError && error.status >= 500;
  // `fetch` throws a TypeError when the provider does not answer.
  const isSilent = error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT');
  return isServerFault || isSilent ? 'ProviderUnavailable' : 'ProviderFailed';
}
