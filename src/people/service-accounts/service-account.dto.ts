import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, ListOf, Name, Nested, Text } from '../../platform/http/binding/fields.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';

const ACCESS_MODE = namesOf('ServiceAccountAccessMode', ServiceAccountAccessMode, {
  Restricted: 'may do what its permission assignments allow; without any it is refused everything.',
  Unrestricted: 'may do everything on the server.',
});

/** Most credentials of an account, revoked and expired ones included. */
export const MAXIMUM_CREDENTIALS = 1_000;

/** A credential without its secret. */
export class ServiceAccountCredentialDto {
  @Guid('Id of the credential.') id: string;
  @Text('Name of the credential.', { example: 'Monitoring, March 2026' }) name: string;
  @Instant('Creation time of the credential.') createdAt: Date;
  @Instant('Expiry of the credential; null if it never expires.', { nullable: true }) expiresAt: Date | null;
  @Instant('Revocation time of the credential; null if it is not revoked.', { nullable: true }) revokedAt: Date | null;
  @Instant('Last use of the credential, to the minute; null if it was never used.', { nullable: true }) lastUsedAt: Date | null;
}

export class TenantServiceAccountDto {
  @Guid('Id of the account.') id: string;
  @Text('Name of the account, unique within the tenant or among the accounts of the server.', { example: 'Monitoring' }) name: string;
  @Text('Description for people.', { nullable: true, example: 'Reads the state of all devices' }) description: string | null;
  @Bool('True if the account can sign in.') isEnabled: boolean;
  @Instant('Creation time of the account.') createdAt: Date;
  @ListOf('Its credentials, oldest first, without their secrets.', () => ServiceAccountCredentialDto)
  credentials: ServiceAccountCredentialDto[];
}

export class ServerServiceAccountDto extends TenantServiceAccountDto {
  @EnumName('Access mode of the account: bound by permission assignments, or unrestricted.', ACCESS_MODE)
  accessMode: ServiceAccountAccessMode;
}

export class TenantServiceAccountsResponseDto {
  @ListOf('The accounts, sorted by name.', () => TenantServiceAccountDto) items: TenantServiceAccountDto[];
}

export class ServerServiceAccountsResponseDto {
  @ListOf('The accounts, sorted by name.', () => ServerServiceAccountDto) items: ServerServiceAccountDto[];
}

export class CreateServiceAccountRequestDto {
  @Name('Name of the account, unique within the tenant or among the accounts of the server.', { min: 1, max: 100, example: 'Monitoring' })
  name: string;
  @Text('Description for people.', { nullable: true, max: 500, example: 'Reads the state of all devices' }) description: string | null;
}

export class CreateServerServiceAccountRequestDto extends CreateServiceAccountRequestDto {
  @EnumName('Access mode of the account: bound by permission assignments, or unrestricted.', ACCESS_MODE)
  accessMode: ServiceAccountAccessMode;
}

export class UpdateServiceAccountRequestDto {
  @Name('Name of the account, unique within the tenant or among the accounts of the server.', { min: 1, max: 100, example: 'Monitoring' })
  name: string;
  @Text('Description for people.', { nullable: true, unchangedIfOmitted: true, max: 500, example: 'Reads the state of all devices' })
  description?: string | null;
  @Bool('True if the account can sign in.', { unchangedIfOmitted: true }) isEnabled?: boolean | null;
}

export class CreateServiceAccountCredentialRequestDto {
  @Name('Name of the credential.', { min: 1, max: 100, example: 'Monitoring, March 2026' }) name: string;
  @Instant('Expiry of the credential, in the future; null if it never expires.', { nullable: true }) expiresAt: Date | null;
}

export class CreateServiceAccountCredentialResponseDto {
  @Nested('The credential without its secret.', () => ServiceAccountCredentialDto) credential: ServiceAccountCredentialDto;
  @Text('The complete value for the `x-api-key` header. It is shown only now.', { example: '5E1F0A7C3B2D4E6F8091A2B3C4D5E6F7:kX3vYw9s' })
  plainTextSecretKey: string;
}
