import { Bool, EnumName, Guid, Instant, ListOf, Nested, Text } from '../http/binding/fields.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';

/** A credential without its secret. */
export class ServiceAccountCredentialDto {
  @Guid() id: string;
  @Text() name: string;
  @Instant() createdAt: Date;
  @Instant({ nullable: true, description: 'Null never expires.' }) expiresAt: Date | null;
  @Instant({ nullable: true, description: 'Set once revoked; the credential stays listed.' }) revokedAt: Date | null;
  @Instant({ nullable: true }) lastUsedAt: Date | null;
}

export class TenantServiceAccountDto {
  @Guid() id: string;
  @Text() name: string;
  @Text({ nullable: true }) description: string | null;
  @Bool() isEnabled: boolean;
  @Instant() createdAt: Date;
  @ListOf(() => ServiceAccountCredentialDto) credentials: ServiceAccountCredentialDto[];
}

export class ServerServiceAccountDto extends TenantServiceAccountDto {
  @EnumName(ServiceAccountAccessMode, { name: 'ServiceAccountAccessMode' }) accessMode: ServiceAccountAccessMode;
}

export class TenantServiceAccountsResponseDto {
  @ListOf(() => TenantServiceAccountDto) items: TenantServiceAccountDto[];
}

export class ServerServiceAccountsResponseDto {
  @ListOf(() => ServerServiceAccountDto) items: ServerServiceAccountDto[];
}

export class CreateServiceAccountRequestDto {
  @Text({ min: 1, max: 100, notBlank: true }) name: string;
  @Text({ nullable: true, max: 500 }) description: string | null;
}

export class CreateServerServiceAccountRequestDto extends CreateServiceAccountRequestDto {
  @EnumName(ServiceAccountAccessMode, { name: 'ServiceAccountAccessMode' }) accessMode: ServiceAccountAccessMode;
}

export class UpdateServiceAccountRequestDto extends CreateServiceAccountRequestDto {
  @Bool({ nullable: true, description: 'The account stays as it is when this is left out.' }) isEnabled: boolean | null;
}

export class CreateServiceAccountCredentialRequestDto {
  @Text({ min: 1, max: 100, notBlank: true }) name: string;
  @Instant({ nullable: true, description: 'In the future; null never expires.' }) expiresAt: Date | null;
}

export class CreateServiceAccountCredentialResponseDto {
  @Nested(() => ServiceAccountCredentialDto) credential: ServiceAccountCredentialDto;
  @Text({ description: 'The complete x-api-key header value, shown this once.' }) plainTextSecretKey: string;
}
