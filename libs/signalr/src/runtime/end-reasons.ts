import { CLIENT_LOST, POLLING_STOPPED } from '../transports/transport.js';

/** Reasons for the ends of connections. `onDisconnected` gets these texts, among others. */
export const EndReason = {
  Shutdown: 'the server is shutting down',
  ClosedByClient: 'closed by the client',
  ClientSilent: 'client timed out',
  UnauthenticatedTooLong: 'unauthenticated for too long',
  AuthenticationExpired: 'the authentication has expired',
  ReadsTooSlowly: 'the client reads too slowly',
} as const;

const TIMEOUTS: ReadonlySet<string> = new Set([EndReason.ClientSilent, EndReason.UnauthenticatedTooLong, CLIENT_LOST, POLLING_STOPPED]);

/** The end of a connection, in the words of OpenTelemetry. */
export type ConnectionStatus = 'normal_closure' | 'timeout' | 'app_shutdown';

export function statusOf(reason: string): ConnectionStatus {
  if (reason === EndReason.Shutdown) return 'app_shutdown';
  return TIMEOUTS.has(reason) ? 'timeout' : 'normal_closure';
}
