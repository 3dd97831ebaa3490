import type { IncomingMessage } from 'node:http';
import { splitTarget } from '../../transports/upgrade-router.js';

/** Parts the names and values of headers, none of which can have a line break. */
const SEPARATOR = '\n';
/** Headers dropped after authentication: credentials, and the key of the handshake, which differs with each request. */
const DROPPED_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'sec-websocket-key']);
/** The credential of browsers, which cannot set headers. */
const DROPPED_PARAMETER = 'access_token';

/**
 * The HTTP request that opened a connection, without the credentials of its client: it lasts as long as the connection. It keeps little,
 * and works out rarely used values on demand.
 */
export class ConnectionRequest {
  /** Names and values in turn. One text takes a third of the memory of many short ones. */
  readonly #headers: string;
  readonly #target: string;

  /** @param keptHeaders the names of the headers to keep, in any case. Default: all but those of credentials */
  constructor({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>, keptHeaders?: readonly string[]) {
    this.#target = withoutCredential(url);
    this.#headers = textOf(
      rawHeaders,
      keptHeaders?.map((name) => name.toLowerCase()),
    );
  }

  get path(): string {
    return splitTarget(this.#target).path;
  }

  /** Without `access_token`. */
  get query(): URLSearchParams {
    return new URLSearchParams(splitTarget(this.#target).query);
  }

  /** The headers that are kept, by name in any case. One that came several times has its values in one entry each, or joined by commas. */
  get headers(): Headers {
    const headers = new Headers();
    const parts = this.#headers.split(SEPARATOR);
    for (let index = 0; index + 1 < parts.length; index += 2) headers.append(parts[index], parts[index + 1]);
    return headers;
  }
}

function withoutCredential(target: string): string {
  const { path, query } = splitTarget(target);
  const parameters = new URLSearchParams(query);
  if (!parameters.has(DROPPED_PARAMETER)) return target;
  parameters.delete(DROPPED_PARAMETER);
  return `${path}?${parameters.toString()}`;
}

function textOf(rawHeaders: readonly string[], kept: readonly string[] | undefined): string {
  const parts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (kept === undefined ? !DROPPED_HEADERS.has(name) : kept.includes(name)) parts.push(rawHeaders[index], rawHeaders[index + 1]);
  }
  return parts.join(SEPARATOR);
}
