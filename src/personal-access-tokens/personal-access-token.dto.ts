import { PermissionScopeKind } from '../authorization/permission.js';
import { EnumName, Guid, Instant, Int, ListOf, Nested, Text } from '../http/binding/fields.js';
import { PersonalAccessTokenPermissionMode } from './personal-access-token.entity.js';

/** Most permissions that a token may be made with. */
const MAXIMUM_SCOPES = 1_000;

const MODE = { name: 'PersonalAccessTokenPermissionMode' };

export class PersonalAccessTokenResponseDto {
  @Guid() id: string;
  @Text() name: string;
  @Instant() createdAt: Date;
  @Instant({ nullable: true }) lastUsed: Date | null;
  @Int({ description: "How many permissions the token's own enabled Allow rows name." }) permissionCount: number;
  @EnumName(PersonalAccessTokenPermissionMode, MODE) permissionMode: PersonalAccessTokenPermissionMode;
  @Instant({ nullable: true, description: 'Null never expires.' }) expiresAt: Date | null;
  @Instant({ nullable: true }) revokedAt: Date | null;
}

export class PersonalAccessTokensResponseDto {
  @ListOf(() => PersonalAccessTokenResponseDto) items: PersonalAccessTokenResponseDto[];
}

/** A permission that a token carries, and where. */
export class CredentialScopeDto {
  @Text({ min: 1, max: 150 }) permissionName: string;
  @EnumName(PermissionScopeKind, { name: 'PermissionScopeKind', except: [PermissionScopeKind.Unknown] }) scopeKind: PermissionScopeKind;
  @Guid({ nullable: true, description: 'Null at Server scope; at Tenant scope it is the named tenant, whatever is sent.' })
  scopeId: string | null;
}

export class CreatePersonalAccessTokenRequestDto {
  @Text({ min: 1, max: 256, notBlank: true }) name: string;
  @EnumName(PersonalAccessTokenPermissionMode, { ...MODE, default: PersonalAccessTokenPermissionMode.Restricted })
  permissionMode: PersonalAccessTokenPermissionMode;
  @ListOf(() => CredentialScopeDto, {
    nullable: true,
    max: MAXIMUM_SCOPES,
    description: 'What a Restricted token carries; within the rights of its owner.',
  })
  scopes: CredentialScopeDto[] | null;
  @Instant({ nullable: true, description: 'In the future; null never expires.' }) expiresAt: Date | null;
}

export class CreatePersonalAccessTokenResponseDto {
  @Nested(() => PersonalAccessTokenResponseDto) personalAccessToken: PersonalAccessTokenResponseDto;
  @Text({ description: 'The complete x-personal-token header value, shown this once.' }) plainTextToken: string;
}

export class UpdatePersonalAccessTokenRequestDto {
  @Text({ min: 1, max: 256, notBlank: true }) name: string;
}
