import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

/** A request of the doctor. */
export interface Question {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body: what is sent of it, and the length that is announced. A body that is not complete ends with the answer. */
  readonly body?: { readonly sent: Buffer; readonly length: number };
  readonly timeoutMs: number;
}

/** An answer. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Longest answer that is read, in bytes. */
const MAXIMUM_ANSWER = 64 * 1024;

/** No answer came in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Sends a request on a connection of its own and reads the answer. Follows no redirects. Certificates are checked elsewhere, so that what is
 * behind a wrong one is examined too.
 * @throws Error of the system when there is no connection, NoAnswerError at the time-out
 */
export function ask({ url, headers = {}, body, timeoutMs }: Question): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/octet-stream', 'content-length': body.length }) },
      agent: false,
    };
    const request = url.protocol === 'https:' ? requestSecure(url, { ...options, rejectUnauthorized: false }) : requestPlain(url, options);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      request.destroy();
    };
    const timer = setTimeout(() => end(() => reject(new NoAnswerError(`No answer came within ${timeoutMs / 1000} s.`))), timeoutMs);
    request.on('error', (error) => end(() => reject(error)));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => end(() => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAXIMUM_ANSWER) finish();
        else chunks.push(chunk);
      });
      response.on('end', finish);
      response.on('error', finish);
    });
    if (body === undefined) request.end();
    else if (body.sent.length === body.length) request.end(body.sent);
    else request.write(body.sent);
  });
}
