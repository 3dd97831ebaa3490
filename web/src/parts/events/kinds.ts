import type { EventKind } from '../../api/system/events.js';
import en from '../../i18n/en/event-kinds.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

const t = textsOf('event-kinds', en);

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

/** Display name of a kind of events. One that is newer than these pages has only its name for programs. */
export function eventKindName(kind: string): string {
  const known = EVENT_KINDS.find((each) => each === kind);
  return known === undefined ? kind : t(known);
}
