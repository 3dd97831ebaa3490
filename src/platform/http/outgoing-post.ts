import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';

import { messageOf } from '../common/errors/errors.js';
import type { TlsAccess } from '../config/values/pem-files.js';

/** Longest answer that is read, in bytes. Nothing of it is used. */
const MAXIMUM_ANSWER = 64 * 1024;

/** A request with a body, and how to make its connection. */
export interface OutgoingPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Finds the address of the host; by default as the system does. */
  readonly lookup?: RequestOptions['lookup'];
  /** Authorities that https trusts, and a certificate to show; by default those of Node.js, and none. */
  readonly tls?: TlsAccess;
}

/** Outcome of a request. */
export interface PostOutcome {
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Reason of a failure; null after a whole answer of 2xx. */
  readonly error: string | null;
}

/** Posts a body on a connection of its own, and waits for the whole answer. Follows no redirects and uses no proxy. Never rejects. */
export function post(url: URL, { headers, body, signal, lookup, tls }: OutgoingPost): Promise<PostOutcome> {
  return new Promise((settle) => {
    let status: number | null = null;
    const fail = (error: unknown): void => settle({ status, error: messageOf(error) });
    try {
      const sent = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
      const options: RequestOptions = { method: 'POST', agent: false, headers: sent, lookup, signal, ...tls };
      const sending = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
      sending.once('error', fail);
      sending.once('response', (response) => {
        status = response.statusCode ?? null;
        readAnswer(response, settle, fail);
      });
      sending.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

/** Reads an answer to its end, within bounds. */
function readAnswer(response: IncomingMessage, settle: (outcome: PostOutcome) => void, fail: (error: unknown) => void): void {
  const status = response.statusCode ?? 0;
  const isRedirect = status >= 300 && status < 400;
  let size = 0;
  response.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > MAXIMUM_ANSWER) response.destroy(new Error(`The answer is longer than ${MAXIMUM_ANSWER / 1_024} KiB.`));
  });
  response.once('error', fail);
  response.once('end', () => {
    if (status >= 200 && status < 300) settle({ status, error: null });
    else fail(new Error(`The receiver answered ${status}${isRedirect ? ': redirects are not followed' : ''}.`));
  });
}
