import { Guid, Instant, Int, ListOf, Text } from '../http/binding/fields.js';

/** Longest searched text, in characters. */
const MAXIMUM_SEARCH_TEXT_LENGTH = 128;
const MAXIMUM_NAME_LENGTH = 100;
const DEFAULT_PAGE_SIZE = 50;

export class ChangeLogQueryDto {
  @Text({ nullable: true, max: MAXIMUM_NAME_LENGTH, description: 'Exactly this action.' }) actionType: string | null;
  @Text({ nullable: true, max: MAXIMUM_NAME_LENGTH, description: 'user, service-account or system.' }) actorType: string | null;
  @Text({ nullable: true, max: MAXIMUM_NAME_LENGTH, description: 'Exactly this kind of object.' }) targetType: string | null;
  @Text({ nullable: true, max: MAXIMUM_SEARCH_TEXT_LENGTH, description: 'Part of the id of an actor or target; a whole GUID is that id.' })
  searchText: string | null;
  @Instant({ nullable: true, description: 'This instant or later.' }) from: Date | null;
  @Instant({ nullable: true, description: 'This instant or earlier.' }) to: Date | null;
  @Int({ min: 0, default: 0, description: 'From 0.' }) page: number;
  @Int({ default: DEFAULT_PAGE_SIZE, description: 'Brought into 1 to 200.' }) pageSize: number;
}

export class AuthorizationChangeLogDto {
  @Guid() id: string;
  @Text() actionType: string;
  @Text() actorPrincipalType: string;
  @Guid({ nullable: true }) actorPrincipalId: string | null;
  @Text() targetType: string;
  @Guid({ nullable: true }) targetId: string | null;
  @Guid({ nullable: true, description: 'Null: an entry of the server.' }) owningTenantId: string | null;
  @Text({ nullable: true }) ipAddress: string | null;
  @Instant() createdAt: Date;
  @Text({ nullable: true }) beforeJson: string | null;
  @Text({ nullable: true }) afterJson: string | null;
}

export class AuthorizationChangeLogsResponseDto {
  @ListOf(() => AuthorizationChangeLogDto) items: AuthorizationChangeLogDto[];
  @Int() totalItems: number;
}
