import type { PermissionScopeKind } from '../authorization/permission.js';
import { SCOPE_KIND } from '../authorization/permission-names.js';
import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Guid, Instant, Int, ListOf, Name, Nested, Text } from '../http/binding/fields.js';
import { PersonalAccessTokenPermissionMode } from './personal-access-token.entity.js';

/** Most permissions that a token may be made with. */
const MAXIMUM_SCOPES = 1_000;

const MODE = namesOf('PersonalAccessTokenPermissionMode', PersonalAccessTokenPermissionMode);

export class PersonalAccessTokenResponseDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Instant('') createdAt: Date;
  @Instant('', { nullable: true }) lastUsed: Date | null;
  @Int("How many permissions the token's own enabled Allow rows name.") permissionCount: number;
  @EnumName('', MODE) permissionMode: PersonalAccessTokenPermissionMode;
  @Instant('Null never expires.', { nullable: true }) expiresAt: Date | null;
  @Instant('', { nullable: true }) revokedAt: Date | null;
}

export class PersonalAccessTokensResponseDto {
  @ListOf('', () => PersonalAccessTokenResponseDto) items: PersonalAccessTokenResponseDto[];
}

/** A permission that a token carries, and where. */
export class CredentialScopeDto {
  @Text('', { min: 1, max: 150 }) permissionName: string;
  @EnumName('', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Null at Server scope; at Tenant scope the named tenant, which null stands for.', { nullable: true })
  scopeId: string | null;
}

export class CreatePersonalAccessTokenRequestDto {
  @Name('', { min: 1, max: 256 }) name: string;
  @EnumName('', MODE, { default: PersonalAccessTokenPermissionMode.Restricted })
  permissionMode: PersonalAccessTokenPermissionMode;
  @ListOf('What a Restricted token carries; within the rights of its owner.', () => CredentialScopeDto, {
    nullable: true,
    max: MAXIMUM_SCOPES,
  })
  scopes: CredentialScopeDto[] | null;
  @Instant('In the future; null never expires.', { nullable: true }) expiresAt: Date | null;
}

export class CreatePersonalAccessTokenResponseDto {
  @Nested('', () => PersonalAccessTokenResponseDto) personalAccessToken: PersonalAccessTokenResponseDto;
  @Text('The complete x-personal-token header value, shown this once.') plainTextToken: string;
}

export class UpdatePersonalAccessTokenRequestDto {
  @Name('', { min: 1, max: 256 }) name: string;
}
