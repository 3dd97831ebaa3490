import type { EventKind } from '../../api/system/events.js';

/** Kinds of events, as the service names them. */
export const EVENT_KINDS = [
  'device.registered',
  'device.online',
  'device.offline',
  'device.key-changed',
  'session.begun',
  'session.ended',
  'installer-key.used',
  'permission.changed',
  'user.signed-in',
] as const satisfies readonly EventKind[];
