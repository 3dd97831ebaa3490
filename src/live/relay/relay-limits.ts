import { Injectable } from '@nestjs/common';

/** Limits of the sockets that the relay lets wait and carries, and time-outs. */
@Injectable()
export class RelayLimits {
  /** Sockets that wait or are connected, of both roles, which tenants share. Each pair takes some 150 KiB while it is busy. */
  readonly sockets: number = 10_000;
  /** Requesters of one principal that wait or are connected. A service account may serve a whole help desk. */
  readonly requestersOfPrincipal: number = 500;
  /** Requesters of one principal that wait before their session is requested: VNC viewers come before they ask. */
  readonly unexpectedRequestersOfPrincipal: number = 50;
  /** The same of all principals together, which tenants share. */
  readonly unexpectedRequesters: number = 1_000;
  /** Responders of one address that wait before their session is requested. A company's devices have one address. */
  readonly unexpectedRespondersOfAddress: number = 50;
  /** The same of all addresses together: unexpected responders never take the places of expected ones. */
  readonly unexpectedResponders: number = 1_000;
  /** The longest wait for a partner, in milliseconds, even if a socket asks for more. Ids of ended sessions are not used for as long. */
  readonly waitMs: number = 3_600_000;
  /** Time-out of the halves of a requested session to meet after the device has accepted, in milliseconds. */
  readonly meetingMs: number = 60_000;
  /** Time-out of the wait of an answered request for its audit record, in milliseconds. The session goes on without it. */
  readonly recordMs: number = 5_000;
  /** Requested sessions of one principal that have not ended. */
  readonly requestedOfPrincipal: number = 500;
  /** Requested sessions of one principal whose ids are not used again yet, those that have not ended included. */
  readonly rememberedOfPrincipal: number = 10_000;
  /** Ids of sessions that are over which the service remembers, some 150 bytes each. */
  readonly remembered: number = 500_000;
  /** Bytes of messages of remote control sessions that have begun and not ended, which tenants share. Messages that arrive in one piece are not kept. */
  readonly heldBytes: number = 64 * 1024 * 1024;
  /** Interval of the looks at connected pairs, in milliseconds. */
  readonly lookMs: number = 15_000;
  /** Looks without a sign of life after which a socket is pinged: before proxies cut it off, most of which do after 60 s. */
  readonly looksUntilPing: number = 2;
  /** Looks without a sign of life after which a socket counts as gone, or as one that does not read. */
  readonly looksUntilGone: number = 8;
  /** Time-out of a socket to read the rest and to answer a close frame, in milliseconds. */
  readonly closeMs: number = 10_000;
  /** The same while the service stops. */
  readonly stopMs: number = 2_000;
  /** Milliseconds without passing anything on after which a stop ends a session. It lets sessions go on in which bytes move. */
  readonly quietMs: number = 2_000;
}
