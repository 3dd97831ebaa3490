import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, Int, ListOf, Long, PageSize, Text } from '../../platform/http/binding/fields.js';
import { type ExportFormat, ExportFormatField } from '../../platform/http/bodies/export-format.js';
import { DeviceActivityKind, DeviceActivityOutcome, SessionConsent } from './device-activity-kinds.js';

const DEFAULT_PAGE_SIZE = 50;
const MAXIMUM_PAGE_SIZE = 200;

const KIND = namesOf('DeviceActivityKind', DeviceActivityKind, {
  AgentUninstall: 'The agent was told to remove itself.',
  AgentUpdate: 'The agent was told to look for an update.',
  Delete: 'A file or directory was deleted.',
  Download: 'A file or an archive went from the device to the caller.',
  LogRead: 'The caller read a log file. Reads of the same file within ten minutes of each other are one record, for an hour.',
  NewFolder: 'A directory was created.',
  Power: 'The device was told to restart or to shut down.',
  Recording: 'The viewer of a remote control session recorded its picture, as the viewer says.',
  Relay: 'A session of the relay that was not asked for through the viewer hub.',
  RemoteControl: 'A remote control session.',
  Rename: 'A file or directory got another name.',
  Terminal: 'A terminal, from its first input to its end; one record also when a page is reloaded or a window takes it over.',
  Upload: 'A file went from the caller to the device.',
  Wake: 'Devices of its network were told to wake the device.',
  Vnc: 'A VNC session.',
});
const OUTCOME = namesOf('DeviceActivityOutcome', DeviceActivityOutcome, {
  Interrupted: 'The service stopped before the activity ended.',
});

const CONSENT = namesOf('SessionConsent', SessionConsent, {
  NotAsked: 'The person at the device was not asked.',
  Asked: 'The person at the device was asked, and did not agree.',
  Given: 'The person at the device agreed.',
});

export class DeviceActivityQueryDto {
  @Guid('Records older than this one: the last of the page before.', { nullable: true }) after: string | null;
  @PageSize('Records', { min: 1, max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
  @EnumName('Only records of this kind.', KIND, { nullable: true }) kind: DeviceActivityKind | null;
  @Guid('Only records of this caller.', { nullable: true }) principalId: string | null;
}

export class DeviceActivityExportQueryDto {
  @ExportFormatField() format: ExportFormat;
  @EnumName('Only records of this kind.', KIND, { nullable: true }) kind: DeviceActivityKind | null;
  @Guid('Only records of this caller.', { nullable: true }) principalId: string | null;
}

export class DeviceActivityPersonDto {
  @Guid('Id of the caller.') id: string;
  @Text('Kind of caller.', { example: 'User' }) kind: string;
  @Text('Name that the caller had last.', { example: 'anna@contoso.example' }) name: string;
}

export class DeviceActivityPeopleDto {
  @ListOf('The callers by name, at most 200.', () => DeviceActivityPersonDto) items: DeviceActivityPersonDto[];
}

export class DeviceActivityDto {
  @Guid('Id of the record.') id: string;
  @EnumName('Kind of the activity.', KIND) kind: DeviceActivityKind;
  @Text('Kind of caller.', { example: 'User' }) principalKind: string;
  @Guid('Id of the caller; null for the service itself.', { nullable: true }) principalId: string | null;
  @Text('Name of the caller at that time.', { example: 'anna@contoso.example' }) principalName: string;
  @Text('Address of the caller.', { nullable: true, example: '203.0.113.17' }) ipAddress: string | null;
  @Text('External reference of the user, from the system that created the logon token; null for other sessions.', {
    nullable: true,
    example: null,
  })
  userCorrelationId: string | null;
  @Text('External reference of the session, from the same system; null if it gave none.', { nullable: true, example: 'ticket-20417' })
  sessionCorrelationId: string | null;
  @Text('Path of what was transferred or changed, a new name after an arrow, or id of the session at the relay.', {
    nullable: true,
    example: '/var/log/syslog',
  })
  subject: string | null;
  @Int('Session of the operating system that was shown; null for everything but remote control.', { nullable: true, example: null })
  desktopSession: number | null;
  @Bool('True if the caller could view the desktop but not control it; null for everything but remote control.', { nullable: true })
  isViewOnly: boolean | null;
  @EnumName('Consent to a remote control session; null for everything else.', CONSENT, { nullable: true }) consent: SessionConsent | null;
  @Instant('Start of the activity.') startedAt: Date;
  @Instant('End of the activity, or of its last read; null while it runs.', { nullable: true }) endedAt: Date | null;
  @Long('Bytes that went to the device.', { example: 0 }) bytesIn: number;
  @Long('Bytes that came from the device.', { example: 52_428 }) bytesOut: number;
  @EnumName('Outcome of the activity; null while it runs.', OUTCOME, { nullable: true }) outcome: DeviceActivityOutcome | null;
}

export class DeviceActivityResponseDto {
  @ListOf('The records of the page, newest first.', () => DeviceActivityDto) items: DeviceActivityDto[];
}
