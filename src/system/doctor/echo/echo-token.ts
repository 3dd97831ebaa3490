import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Path at which the service tells the doctor what reached it. */
export const ECHO_PATH = '/account/doctor/echo';
/** Header with the token of a request of the doctor. */
export const ECHO_TOKEN_HEADER = 'x-doctor-token';
/** Query parameter that asks for an answer before the body has arrived. */
export const EARLY_PARAMETER = 'early';
/** Longest silence that a WebSocket of the doctor can ask for, in milliseconds. */
export const MAXIMUM_SILENCE_MS = 120_000;

/** Time for which a token is good, in milliseconds: its request is sent at once. */
const LIFETIME_MS = 30_000;
const NONCE_BYTES = 18;
const TOKEN = /^(\d{13,15})\.([\w-]{24})\.([\w-]{43})$/;

/** Makes a token for one request. Only programs that read the database know the secret. */
export function makeEchoToken(secret: Buffer, now: number): string {
  const text = `${now + LIFETIME_MS}.${randomBytes(NONCE_BYTES).toString('base64url')}`;
  return `${text}.${macOf(secret, 'token', text)}`;
}

/** Reads a token: its nonce, and its end in milliseconds. Null for every other text, and for a token that is over. */
export function readEchoToken(secret: Buffer, token: string, now: number): { readonly nonce: string; readonly until: number } | null {
  const [, end = '', nonce = '', mac = ''] = TOKEN.exec(token) ?? [];
  if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(secret, 'token', `${end}.${nonce}`)))) return null;
  const until = Number(end);
  return until < now ? null : { nonce, until };
}

/** The proof, in the answer to a token, that this installation gave it. */
export const echoProof = (secret: Buffer, token: string): string => macOf(secret, 'answer', token);

const macOf = (secret: Buffer, purpose: string, text: string): string =>
  createHmac('sha256', secret).update(`doctor ${purpose}\n${text}`).digest('base64url');
