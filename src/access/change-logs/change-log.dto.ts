import { Guid, Instant, Int, ListOf, PageSize, Text } from '../../platform/http/binding/fields.js';

/** Longest search text, in characters. */
const MAXIMUM_SEARCH_TEXT_LENGTH = 128;
const MAXIMUM_NAME_LENGTH = 100;
const MAXIMUM_CORRELATION_ID_LENGTH = 200;
const DEFAULT_PAGE_SIZE = 50;
const MAXIMUM_PAGE_SIZE = 200;

const EXAMPLE_ACTION = 'permission-assignment-created';
const EXAMPLE_TARGET = 'PermissionAssignment';

export class ChangeLogQueryDto {
  @Text('Only entries of exactly this action.', { nullable: true, max: MAXIMUM_NAME_LENGTH, example: EXAMPLE_ACTION })
  actionType: string | null;
  @Text('Only entries of this kind of actor: `user`, `service-account` or `system`.', {
    nullable: true,
    max: MAXIMUM_NAME_LENGTH,
    example: 'user',
  })
  actorType: string | null;
  @Text('Only entries about this kind of object.', { nullable: true, max: MAXIMUM_NAME_LENGTH, example: EXAMPLE_TARGET })
  targetType: string | null;
  @Text('Part of the id of an actor or target. A whole GUID matches that id only.', {
    nullable: true,
    max: MAXIMUM_SEARCH_TEXT_LENGTH,
    example: '019a5b3c',
  })
  searchText: string | null;
  @Text('Only changes in sessions of logon tokens with this `userCorrelationId` or `sessionCorrelationId`.', {
    nullable: true,
    max: MAXIMUM_CORRELATION_ID_LENGTH,
    example: 'ticket-20417',
  })
  correlationId: string | null;
  @Instant('Only entries of this time or later.', { nullable: true }) from: Date | null;
  @Instant('Only entries of this time or earlier.', { nullable: true }) to: Date | null;
  @Int('Number of the page, from 0.', { min: 0, default: 0 }) page: number;
  @PageSize('Entries', { max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

export class AuthorizationChangeLogDto {
  @Guid('Id of the entry.') id: string;
  @Text('Action of the entry.', { example: EXAMPLE_ACTION }) actionType: string;
  @Text('Kind of the actor: `user`, `service-account` or `system`.', { example: 'user' }) actorPrincipalType: string;
  @Guid('Id of the actor; null for the service itself.', { nullable: true }) actorPrincipalId: string | null;
  @Text('Kind of object that was changed.', { example: EXAMPLE_TARGET }) targetType: string;
  @Guid('Id of that object.', { nullable: true }) targetId: string | null;
  @Guid('Id of the tenant that the object belongs to; null for objects of the server.', { nullable: true }) owningTenantId: string | null;
  @Text('Address that the request came from.', { nullable: true, example: '203.0.113.17' }) ipAddress: string | null;
  @Text('External reference of the user, from the system that created the logon token of the session; null for other sessions.', {
    nullable: true,
    example: 'auth0|5f7c8ec7c33c6c004bbafe82',
  })
  userCorrelationId: string | null;
  @Text('External reference of the session, from the same system; null if it gave none.', { nullable: true, example: 'ticket-20417' })
  sessionCorrelationId: string | null;
  @Instant('Time of the change.') createdAt: Date;
  @Text('The values before, as JSON; null for something new.', { nullable: true, example: null }) beforeJson: string | null;
  @Text('The values after, as JSON; null for something deleted.', {
    nullable: true,
    example: '{"permissionName":"device.read","effect":"Allow","scopeKind":"Tenant"}',
  })
  afterJson: string | null;
}

export class AuthorizationChangeLogsResponseDto {
  @ListOf('The entries of the page, newest first.', () => AuthorizationChangeLogDto) items: AuthorizationChangeLogDto[];
  @Int('Number of entries that match, on all pages.', { example: 134 }) totalItems: number;
}
