import { Guid, Instant, Int, ListOf, Text } from '../http/binding/fields.js';

/** Longest searched text, in characters. */
const MAXIMUM_SEARCH_TEXT_LENGTH = 128;
const MAXIMUM_NAME_LENGTH = 100;
const DEFAULT_PAGE_SIZE = 50;

export class ChangeLogQueryDto {
  @Text('Exactly this action.', { nullable: true, max: MAXIMUM_NAME_LENGTH }) actionType: string | null;
  @Text('user, service-account or system.', { nullable: true, max: MAXIMUM_NAME_LENGTH }) actorType: string | null;
  @Text('Exactly this kind of object.', { nullable: true, max: MAXIMUM_NAME_LENGTH }) targetType: string | null;
  @Text('Part of the id of an actor or target; a whole GUID is that id.', { nullable: true, max: MAXIMUM_SEARCH_TEXT_LENGTH })
  searchText: string | null;
  @Instant('This instant or later.', { nullable: true }) from: Date | null;
  @Instant('This instant or earlier.', { nullable: true }) to: Date | null;
  @Int('From 0.', { min: 0, default: 0 }) page: number;
  @Int('Brought into 1 to 200.', { default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

export class AuthorizationChangeLogDto {
  @Guid('') id: string;
  @Text('') actionType: string;
  @Text('') actorPrincipalType: string;
  @Guid('', { nullable: true }) actorPrincipalId: string | null;
  @Text('') targetType: string;
  @Guid('', { nullable: true }) targetId: string | null;
  @Guid('Null: an entry of the server.', { nullable: true }) owningTenantId: string | null;
  @Text('', { nullable: true }) ipAddress: string | null;
  @Instant('') createdAt: Date;
  @Text('', { nullable: true }) beforeJson: string | null;
  @Text('', { nullable: true }) afterJson: string | null;
}

export class AuthorizationChangeLogsResponseDto {
  @ListOf('', () => AuthorizationChangeLogDto) items: AuthorizationChangeLogDto[];
  @Int('') totalItems: number;
}
