import type { EventActorDto, EventDataDto, EventDto } from './event.dto.js';
import { eventIdOf } from './event-id.js';
import type { EventRow } from './events.repository.js';

const NO_DATA: EventDataDto = {
  name: null,
  isNew: null,
  installerKeyId: null,
  state: null,
  fingerprint: null,
  formerFingerprint: null,
  since: null,
  session: null,
  sessionId: null,
  startedAt: null,
  outcome: null,
  principalKind: null,
  principalId: null,
  principalName: null,
  changes: null,
  presets: null,
  count: null,
  method: null,
  address: null,
  client: null,
  isNewNetwork: null,
  isNewBrowser: null,
};

/** An event as its readers see it. */
export function eventOf(row: EventRow, tenantId: string): EventDto {
  const { number, kind, occurredAt, deviceId, data } = row;
  return { id: eventIdOf(number, tenantId), kind, occurredAt, tenantId, deviceId, actor: actorOf(row), data: { ...NO_DATA, ...data } };
}

function actorOf({ actorKind, actorId, actorName }: EventRow): EventActorDto | null {
  return actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId, name: actorName ?? '' };
}
