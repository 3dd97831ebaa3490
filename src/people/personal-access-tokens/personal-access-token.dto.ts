import { SCOPE_KIND } from '../../access/authorization/permissions/permission-names.js';
import type { PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Guid, Instant, Int, ListOf, Name, Nested, Text } from '../../platform/http/binding/fields.js';
import { PersonalAccessTokenPermissionMode } from './personal-access-token.entity.js';

/** Most tokens of a user, expired ones included. */
export const MAXIMUM_TOKENS = 1_000;

/** Most permissions of a new token. */
const MAXIMUM_SCOPES = 1_000;

const MODE = namesOf('PersonalAccessTokenPermissionMode', PersonalAccessTokenPermissionMode, {
  Restricted: 'what both the owner and the token itself are allowed.',
  InheritOwner: 'exactly what the owner may do, now and later.',
});

export class PersonalAccessTokenResponseDto {
  @Guid('Id of the token.') id: string;
  @Text('Name of the token, unique among the tokens of its user.', { example: 'Backup script' }) name: string;
  @Instant('Creation time of the token.') createdAt: Date;
  @Instant('Last use of the token, to the minute; null if it was never used.', { nullable: true }) lastUsed: Date | null;
  @Int("Number of permissions that the token's own enabled assignments allow.", { example: 2 }) permissionCount: number;
  @EnumName('Mode of the token, which sets its permissions.', MODE) permissionMode: PersonalAccessTokenPermissionMode;
  @Instant('Expiry of the token; null if it never expires.', { nullable: true }) expiresAt: Date | null;
  @Instant('Revocation time of the token; null if it is not revoked.', { nullable: true }) revokedAt: Date | null;
}

export class PersonalAccessTokensResponseDto {
  @ListOf('The tokens, newest first.', () => PersonalAccessTokenResponseDto) items: PersonalAccessTokenResponseDto[];
}

/** A permission of a token, and where it applies. */
export class CredentialScopeDto {
  @Text('Name of the permission, from the catalogue.', { min: 1, max: 150, example: 'device.read' }) permissionName: string;
  @EnumName('Kind of the scope.', SCOPE_KIND) scopeKind: PermissionScopeKind;
  @Guid('Id of what the scope kind names. Null at Server scope; null means the named tenant at Tenant scope.', { nullable: true })
  scopeId: string | null;
}

export class CreatePersonalAccessTokenRequestDto {
  @Name('Name of the token, unique among the tokens of its user.', { min: 1, max: 256, example: 'Backup script' }) name: string;
  @EnumName('Mode of the token, which sets its permissions.', MODE, { default: PersonalAccessTokenPermissionMode.Restricted })
  permissionMode: PersonalAccessTokenPermissionMode;
  @ListOf(
    'Permissions of a Restricted token, at most those that its owner holds. An InheritOwner token takes none.',
    () => CredentialScopeDto,
    {
      nullable: true,
      max: MAXIMUM_SCOPES,
    },
  )
  scopes: CredentialScopeDto[] | null;
  @Instant(
    'Expiry of the token, in the future; null if it never expires. A token that is created with an expiring credential expires no later than that credential.',
    { nullable: true },
  )
  expiresAt: Date | null;
}

export class CreatePersonalAccessTokenResponseDto {
  @Nested('The token without its secret.', () => PersonalAccessTokenResponseDto) personalAccessToken: PersonalAccessTokenResponseDto;
  @Text('The complete value for the `x-personal-token` header. It is shown only now.', {
    example: '5E1F0A7C3B2D4E6F8091A2B3C4D5E6F7:q7Zr0bW3',
  })
  plainTextToken: string;
}

export class UpdatePersonalAccessTokenRequestDto {
  @Name('Name of the token, unique among the tokens of its user.', { min: 1, max: 256, example: 'Backup script' }) name: string;
}
