import { post } from '../../../platform/http/outgoing-post.js';
import type { ForwardedLine } from '../forwarded-line.js';
import { TooLargeError, type Destination } from './destination.js';

/** HTTP status of a receiver for which the body is too large. */
const TOO_LARGE = 413;
const USER_AGENT = 'device-management-forwarding';

/** Posts lines to an address, whose answer of 2xx says that the receiver has them. */
export class HttpDestination implements Destination {
  /** @param token what it sends as a bearer token; empty for none */
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async send(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<void> {
    const headers = {
      'content-type': 'application/x-ndjson',
      'user-agent': USER_AGENT,
      ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const body = lines.map(({ text }) => `${text}\n`).join('');
    const { status, error } = await post(new URL(this.url), { headers, body, signal });
    if (error !== null) throw status === TOO_LARGE ? new TooLargeError(error) : new Error(error);
  }
}
