import type { IncomingMessage } from 'node:http';
import { splitTarget } from '../transports/upgrade-router.js';

/** Parts the names and values of headers, none of which can have a line break. */
const SEPARATOR = '\n';
/** Differs with each request, and is of no use after the handshake. */
const HANDSHAKE_KEY = 'sec-websocket-key';

/** The HTTP request that opened a connection. It keeps little: what programs rarely ask for is worked out when they do. */
export class ConnectionRequest {
  /** Names and values in turn. One text takes a third of the memory of many short ones. */
  readonly #headers: string;
  readonly #target: string;

  constructor({ url, rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>) {
    this.#target = url ?? '';
    this.#headers = textOf(rawHeaders);
  }

  get path(): string {
    return splitTarget(this.#target).path;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(splitTarget(this.#target).query);
  }

  /**
   * By name in any case, without the key of the WebSocket handshake. A header that came several times has its values in one entry each,
   * or joined by commas.
   */
  get headers(): Headers {
    const headers = new Headers();
    const parts = this.#headers.split(SEPARATOR);
    for (let index = 0; index + 1 < parts.length; index += 2) headers.append(parts[index], parts[index + 1]);
    return headers;
  }
}

function textOf(rawHeaders: readonly string[]): string {
  const key = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === HANDSHAKE_KEY);
  return (key === -1 ? rawHeaders : rawHeaders.toSpliced(key, 2)).join(SEPARATOR);
}
