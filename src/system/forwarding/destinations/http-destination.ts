import type { TlsAccess } from '../../../platform/config/values/pem-files.js';
import { post, type PostOutcome } from '../../../platform/http/outgoing-post.js';
import { shortened, type ForwardedLine } from '../forwarded-line.js';
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
    private readonly tls: TlsAccess,
  ) {}

  async send(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<void> {
    const { status, error } = await this.post(lines, signal);
    if (error === null) return;
    if (status !== TOO_LARGE) throw new Error(error);
    if (lines.length > 1) throw new TooLargeError(error);
    // A line that is too large alone must not hold up those behind it.
    const { error: failure } = await this.post(lines.map(shortened), signal);
    if (failure !== null) throw new Error(failure);
  }

  private post(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<PostOutcome> {
    const headers = {
      'content-type': 'application/x-ndjson',
      'user-agent': USER_AGENT,
      ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const body = lines.map(({ text }) => `${text}\n`).join('');
    return post(new URL(this.url), { headers, body, signal, tls: this.tls });
  }
}
