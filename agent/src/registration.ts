import { CreateDeviceRequestDto } from '#libs/contracts';
import { messageOf } from './failures.js';

const REQUEST_TIMEOUT_MS = 30_000;

/** The server did not register the device; the message says why, if that is known. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';
}

/** Registers the device with an installer key. Throws RegistrationError when it fails. */
export async function registerDevice(serverUri: string, request: CreateDeviceRequestDto): Promise<void> {
  let response: Response;
  try {
    response = await fetch(new URL('/api/agent/devices', serverUri), {
      method: 'POST',
      // The secret goes to the address that the operator has named, and to no other.
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(CreateDeviceRequestDto.encode(request, 'json')),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (error) {
    throw new RegistrationError(`The server ${serverUri} could not be reached: ${causeOf(error)}`, { cause: error });
  }
  await response.body?.cancel();
  if (!response.ok) throw new RegistrationError(explain(response));
}

function explain({ status, headers }: Response): string {
  const location = headers.get('location');
  if (location !== null) return `The server answered with a redirection (${status}) to ${location}: use that address.`;
  switch (status) {
    case 400:
      return 'The server refused the registration (400): the installer key is wrong, expired or used up, or it is not of this tenant.';
    case 403:
      return 'The server refused the registration (403): this installer key may not register this device or set its tags.';
    case 404:
      return 'The server has no registration route (404): is it the address of the device management service?';
    case 429:
      return 'The server is busy (429): try again later.';
    default:
      return `The server answered the registration with status ${status}.`;
  }
}

/** fetch hides the reason in the cause of its error. */
function causeOf(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : messageOf(cause) || messageOf(error);
}
