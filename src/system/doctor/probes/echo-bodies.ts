import { messageOf } from '../../../platform/common/errors/errors.js';
import { EARLY_PARAMETER, ECHO_PATH, ECHO_TOKEN_HEADER } from '../echo/echo-token.js';
import { ask, NoAnswerError } from './ask.js';

/** Size of a body that is sent as a whole, in bytes: twice that of the largest JSON body. */
export const WHOLE_BODY = 2 * 1024 * 1024;
const BEGINNING = 64 * 1024;
const WHOLE_TIMEOUT_MS = 25_000;
/** Time for an answer that does not wait for the body. */
const EARLY_TIMEOUT_MS = 8_000;

/** Course of a body through the proxy. */
export type BodyCourse =
  | { readonly kind: 'Arrived' }
  | { readonly kind: 'Refused'; readonly bytes: number; readonly reason: string }
  | { readonly kind: 'Buffered'; readonly bytes: number };

/** Sends a body as a whole. */
export async function sendWhole(publicUrl: URL, token: string): Promise<BodyCourse> {
  const url = new URL(ECHO_PATH, publicUrl);
  const body = { sent: Buffer.alloc(WHOLE_BODY), length: WHOLE_BODY };
  const refused = (reason: string): BodyCourse => ({ kind: 'Refused', bytes: WHOLE_BODY, reason });
  try {
    const { status, text } = await ask({ url, headers: { [ECHO_TOKEN_HEADER]: token }, body, timeoutMs: WHOLE_TIMEOUT_MS });
    if (status !== 200) return refused(`it was answered ${status}`);
    const { bytes } = JSON.parse(text) as { readonly bytes: number };
    return bytes === WHOLE_BODY ? { kind: 'Arrived' } : refused(`${bytes} bytes of it arrived`);
  } catch (error) {
    return refused(messageOf(error));
  }
}

/** Announces a long body and sends its beginning: the service answers at once if that reaches it. */
export async function announce(publicUrl: URL, token: string, length: number): Promise<BodyCourse> {
  const url = new URL(`${ECHO_PATH}?${EARLY_PARAMETER}=1`, publicUrl);
  const body = { sent: Buffer.alloc(BEGINNING), length };
  const refused = (reason: string): BodyCourse => ({ kind: 'Refused', bytes: length, reason });
  try {
    const { status } = await ask({ url, headers: { [ECHO_TOKEN_HEADER]: token }, body, timeoutMs: EARLY_TIMEOUT_MS });
    return status === 200 ? { kind: 'Arrived' } : refused(`it was answered ${status}`);
  } catch (error) {
    return error instanceof NoAnswerError ? { kind: 'Buffered', bytes: length } : refused(messageOf(error));
  }
}
