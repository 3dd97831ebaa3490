import { EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { namesOf, EnumName } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, Int, ListOf, Nested, PageSize, Text, TextList } from '../../platform/http/binding/fields.js';

/** Most events of one answer. */
const MAXIMUM_EVENTS = 500;
/** Longest wait for an event, in seconds. Proxies cut connections on which nothing happens for a minute. */
const MAXIMUM_WAIT = 55;
/** Longest life of a stream without events, in seconds, if the reader asks for an end. */
const MAXIMUM_STREAM_WAIT = 3_600;
/** Stands for the newest event in `before`. */
export const LATEST = 'latest';

const ID_EXAMPLE = '1742-0a1b2c3d';
const KIND = namesOf('EventKind', EventKind, {
  'device.registered': 'A device was registered, for the first time or again.',
  'device.online': 'A device is connected: for the first time, or after `device.offline`.',
  'device.offline': 'A device has not been connected for 60 seconds.',
  'device.key-changed': 'A device has another key, or one waits for approval, or was refused.',
  'session.begun': 'A remote control, VNC or terminal session on a device was begun.',
  'session.ended': 'The session has ended.',
  'installer-key.used': 'A device was registered with an installer key.',
  'permission.changed': 'Permissions of a user, group, service account or token in the tenant were changed.',
  'user.signed-in': 'A user signed in from a network or browser that is new to the account.',
});

class EventFilterDto {
  @Text('Only events of these kinds, separated by commas.', { max: 500, nullable: true, example: 'device.online,device.offline' })
  kinds: string | null;
  @Guid('Only events of this device.', { nullable: true }) deviceId: string | null;
}

export class EventsQueryDto extends EventFilterDto {
  @Text('Events after this one, in the order in which they became visible. Without it, from the oldest on.', {
    max: 40,
    nullable: true,
    example: ID_EXAMPLE,
  })
  after: string | null;
  @Text(`Events before this one, the newest first; \`${LATEST}\` begins with the newest. Not together with \`after\`.`, {
    max: 40,
    nullable: true,
    example: null,
  })
  before: string | null;
  @PageSize('Events', { min: 1, max: MAXIMUM_EVENTS, default: 100 }) limit: number;
  @Int('Seconds to wait for an event if there is none.', { min: 0, max: MAXIMUM_WAIT, default: 0 }) wait: number;
}

export class EventStreamQueryDto extends EventFilterDto {
  @Text('Events after this one. The header `Last-Event-ID` wins over it. Without both, from the oldest on.', {
    max: 40,
    nullable: true,
    example: ID_EXAMPLE,
  })
  after: string | null;
  @Int('Seconds without an event after which the stream ends. Without it, the stream goes on.', {
    min: 0,
    max: MAXIMUM_STREAM_WAIT,
    nullable: true,
    example: null,
  })
  wait: number | null;
}

export class EventActorDto {
  @Text('User or ServiceAccount.', { example: 'User' }) kind: string;
  @Guid('Id of the caller.') id: string;
  @Text('Name of the caller at that time.', { example: 'anna@contoso.example' }) name: string;
}

export class EventPermissionChangeDto {
  @Text('`created`, `updated` or `deleted`.', { example: 'created' }) action: string;
  @Text('Name of the permission.', { example: 'device.read' }) permission: string;
  @Text('Allow or Deny.', { example: 'Allow' }) effect: string;
  @Text('Kind of the scope.', { example: 'Tenant' }) scopeKind: string;
  @Guid('Id of the scope.', { nullable: true }) scopeId: string | null;
  @Bool('False for a disabled assignment.') isEnabled: boolean;
}

/** Facts of the kinds of events. Those of other kinds are null. */
export class EventDataDto {
  @Text('Events of devices: name of the device at that time.', { nullable: true, example: 'PC-0042' }) name: string | null;
  @Bool('`device.registered`: true for a device that the server did not know.', { nullable: true }) isNew: boolean | null;
  @Guid('`device.registered`, `installer-key.used`: the key.', { nullable: true }) installerKeyId: string | null;
  @Text('`device.key-changed`: `replaced`, `waiting` for approval, `approved` or `refused`.', { nullable: true, example: null }) state:
    string | null;
  @Text('`device.key-changed`: fingerprint of the new key, or of the one that goes on.', { nullable: true, example: null }) fingerprint:
    string | null;
  @Text('`device.key-changed`: fingerprint of the key before.', { nullable: true, example: null }) formerFingerprint: string | null;
  @Instant('`device.offline`: time of the disconnection.', { nullable: true, example: null }) since: string | null;
  @Text('`session.begun`, `session.ended`: RemoteControl, Terminal or Vnc.', { nullable: true, example: null }) session: string | null;
  @Guid('`session.begun`, `session.ended`: the same id in both.', { nullable: true }) sessionId: string | null;
  @Instant('`session.begun`, `session.ended`: time of the beginning.', { nullable: true, example: null }) startedAt: string | null;
  @Text('`session.ended`: Completed, Failed or Interrupted.', { nullable: true, example: null }) outcome: string | null;
  @Text('`permission.changed`: kind of principal.', { nullable: true, example: null }) principalKind: string | null;
  @Guid('`permission.changed`: the principal.', { nullable: true }) principalId: string | null;
  @Text('`permission.changed`: its name at that time.', { nullable: true, example: null }) principalName: string | null;
  @ListOf('`permission.changed`: the changed assignments, at most 20.', () => EventPermissionChangeDto, { nullable: true })
  changes: EventPermissionChangeDto[] | null;
  @TextList('`permission.changed`: the presets that a new principal got.', { maxLength: 100, nullable: true, example: null })
  presets: string[] | null;
  @Int('`permission.changed`: number of changed assignments.', { nullable: true, example: null }) count: number | null;
  @Text('`user.signed-in`: way of signing in.', { nullable: true, example: null }) method: string | null;
  @Text('`user.signed-in`: address of the user.', { nullable: true, example: null }) address: string | null;
  @Text('`user.signed-in`: browser and system.', { nullable: true, example: null }) client: string | null;
  @Bool('`user.signed-in`: true if the account has not been used from this network.', { nullable: true }) isNewNetwork: boolean | null;
  @Bool('`user.signed-in`: true if the account has not been used in this browser.', { nullable: true }) isNewBrowser: boolean | null;
}

export class EventDto {
  @Text('Id of the event. Pass it as `after` to go on behind it.', { example: ID_EXAMPLE }) id: string;
  @EnumName('Kind of the event.', KIND) kind: EventKind;
  @Instant('Time of the event.') occurredAt: Date;
  @Guid('The tenant.') tenantId: string;
  @Guid('The device that it concerns.', { nullable: true }) deviceId: string | null;
  @Nested('The caller that caused it; null for devices and the service itself.', () => EventActorDto, { nullable: true })
  actor: EventActorDto | null;
  @Nested('Facts of the kind; those of other kinds are null.', () => EventDataDto) data: EventDataDto;
}

export class EventsResponseDto {
  @ListOf('The events that the caller may see.', () => EventDto) items: EventDto[];
  @Text(
    'Id to pass as `after`, or `before`, in the next call, also when there are no items. Null when the tenant has had no event, or none is left before.',
    { nullable: true, example: ID_EXAMPLE },
  )
  next: string | null;
}
