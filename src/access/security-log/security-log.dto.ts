import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Guid, Instant, ListOf, PageSize, Text } from '../../platform/http/binding/fields.js';
import { type ExportFormat, ExportFormatField } from '../../platform/http/bodies/export-format.js';
import { SECURITY_EVENT_KINDS, type SecurityEventKind } from './security-event-kinds.js';

const DEFAULT_PAGE_SIZE = 50;
const MAXIMUM_PAGE_SIZE = 200;

const names = Object.fromEntries(Object.keys(SECURITY_EVENT_KINDS).map((name) => [name, name])) as Record<
  SecurityEventKind,
  SecurityEventKind
>;
const KIND = namesOf('SecurityEventKind', names, SECURITY_EVENT_KINDS);

/** Parts of the log that can be read by themselves. */
export enum SecurityLogPart {
  SignIns = 'SignIns',
  Refusals = 'Refusals',
}

const PART = namesOf('SecurityLogPart', SecurityLogPart, {
  SignIns: 'Sign-ins, refused ones too.',
  Refusals: 'Refused sign-ins, failed proofs of identity, and lock-outs.',
});

export class SecurityLogQueryDto {
  @Guid('Entries older than this one: the last of the page before.', { nullable: true }) after: string | null;
  @PageSize('Entries', { min: 1, max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

export class TenantSecurityLogQueryDto extends SecurityLogQueryDto {
  @Guid('Only entries about this user.', { nullable: true }) userId: string | null;
  @EnumName('Only this part of the entries.', PART, { nullable: true }) part: SecurityLogPart | null;
}

export class SecurityLogExportQueryDto {
  @ExportFormatField() format: ExportFormat;
}

export class TenantSecurityLogExportQueryDto extends SecurityLogExportQueryDto {
  @Guid('Only entries about this user.', { nullable: true }) userId: string | null;
  @EnumName('Only this part of the entries.', PART, { nullable: true }) part: SecurityLogPart | null;
}

export class SecurityEventDto {
  @Guid('Id of the entry.') id: string;
  @Instant('Time of the event.') createdAt: Date;
  @Guid('Id of the user.') userId: string;
  @Text('Name of the user at that time.', { example: 'anna@contoso.example' }) userName: string;
  @EnumName('Kind of the event.', KIND) kind: SecurityEventKind;
  @Text('Detail of the event, such as the method of a sign-in; null if the kind has none.', { nullable: true, example: 'Password' })
  detail: string | null;
  @Text('Address that the request came from.', { nullable: true, example: '203.0.113.17' }) remoteAddress: string | null;
  @Text('User agent of the browser, as it reported itself; null if it sent none.', {
    nullable: true,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  })
  userAgent: string | null;
  @Text('Browser and system that the request came from, if it named them.', { nullable: true, example: 'Firefox on Linux' })
  client: string | null;
}

export class SecurityLogResponseDto {
  @ListOf('The entries of the page, newest first.', () => SecurityEventDto) items: SecurityEventDto[];
}
