import type { Negotiated } from './connection-homes.js';
import type { TransportName } from './transport.js';

const HIGHEST_NEGOTIATE_VERSION = 1;

/** The formats that each transport carries. */
const TRANSFER_FORMATS: Readonly<Record<TransportName, readonly string[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
};

/** The query of a negotiate request. */
export interface NegotiationQuery {
  /** The version that both sides speak. Without a valid `negotiateVersion` it is 0. */
  readonly version: number;
  /** True if the client can come back to its connection over another socket. */
  readonly wantsToStay: boolean;
}

/** The offer of the hub. */
export interface NegotiationOffer {
  readonly transports: readonly TransportName[];
  readonly stays: boolean;
}

/** Reads the query of a negotiate request. */
export function parseNegotiationQuery(query: string): NegotiationQuery {
  const parameters = new URLSearchParams(query);
  const asked = Number(parameters.get('negotiateVersion') ?? 0);
  const version = Number.isInteger(asked) && asked >= 0 ? Math.min(asked, HIGHEST_NEGOTIATE_VERSION) : 0;
  return { version, wantsToStay: parameters.get('useStatefulReconnect')?.toLowerCase() === 'true' };
}

/** The body of a negotiate answer. In version 0 there is no token beside the id. */
export function negotiateBody(version: number, { connectionId, token }: Negotiated, { transports, stays }: NegotiationOffer): string {
  return JSON.stringify({
    useStatefulReconnect: stays ? true : undefined,
    negotiateVersion: version,
    connectionId,
    connectionToken: version === 0 ? undefined : token,
    availableTransports: transports.map((transport) => ({ transport, transferFormats: TRANSFER_FORMATS[transport] })),
  });
}
