import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Bool, Guid, Instant, ListOf, Name, Nested, Text } from '../http/binding/fields.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';

const ACCESS_MODE = namesOf('ServiceAccountAccessMode', ServiceAccountAccessMode);

/** A credential without its secret. */
export class ServiceAccountCredentialDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Instant('') createdAt: Date;
  @Instant('Null never expires.', { nullable: true }) expiresAt: Date | null;
  @Instant('Set once revoked; the credential stays listed.', { nullable: true }) revokedAt: Date | null;
  @Instant('', { nullable: true }) lastUsedAt: Date | null;
}

export class TenantServiceAccountDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Text('', { nullable: true }) description: string | null;
  @Bool('') isEnabled: boolean;
  @Instant('') createdAt: Date;
  @ListOf('', () => ServiceAccountCredentialDto) credentials: ServiceAccountCredentialDto[];
}

export class ServerServiceAccountDto extends TenantServiceAccountDto {
  @EnumName('', ACCESS_MODE) accessMode: ServiceAccountAccessMode;
}

export class TenantServiceAccountsResponseDto {
  @ListOf('', () => TenantServiceAccountDto) items: TenantServiceAccountDto[];
}

export class ServerServiceAccountsResponseDto {
  @ListOf('', () => ServerServiceAccountDto) items: ServerServiceAccountDto[];
}

export class CreateServiceAccountRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, max: 500 }) description: string | null;
}

export class CreateServerServiceAccountRequestDto extends CreateServiceAccountRequestDto {
  @EnumName('', ACCESS_MODE) accessMode: ServiceAccountAccessMode;
}

export class UpdateServiceAccountRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, keptIfLeftOut: true, max: 500 }) description?: string | null;
  @Bool('Whether the account can sign in.', { keptIfLeftOut: true }) isEnabled?: boolean | null;
}

export class CreateServiceAccountCredentialRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Instant('In the future; null never expires.', { nullable: true }) expiresAt: Date | null;
}

export class CreateServiceAccountCredentialResponseDto {
  @Nested('', () => ServiceAccountCredentialDto) credential: ServiceAccountCredentialDto;
  @Text('The complete x-api-key header value, shown this once.') plainTextSecretKey: string;
}
