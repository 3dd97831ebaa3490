import type { IncomingMessage } from 'node:http';
import { splitTarget } from '../transports/upgrade-router.js';

/** The HTTP request that opened a connection. It keeps little: what programs rarely ask for is worked out when they do. */
export class ConnectionRequest {
  readonly #rawHeaders: readonly string[];
  readonly #target: string;

  constructor({ url, rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>) {
    this.#target = url ?? '';
    this.#rawHeaders = rawHeaders;
  }

  get path(): string {
    return splitTarget(this.#target).path;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(splitTarget(this.#target).query);
  }

  /** By name in any case. A header that came several times has its values in one entry each, or joined by commas. */
  get headers(): Headers {
    const headers = new Headers();
    for (let index = 0; index + 1 < this.#rawHeaders.length; index += 2) {
      headers.append(this.#rawHeaders[index], this.#rawHeaders[index + 1]);
    }
    return headers;
  }
}
