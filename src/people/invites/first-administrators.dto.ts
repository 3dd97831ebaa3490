import { Bool, Guid, Instant, ListOf, Name, Nested, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_ADDRESS_LENGTH } from './invite.dto.js';

const TENANT_ID = 'Id of the tenant.';
const EXAMPLE_ADDRESS = 'anna@contoso.example';

export class InviteAdministratorRequestDto {
  @Text('E-mail address of the person.', { format: 'email', max: MAXIMUM_ADDRESS_LENGTH, notBlank: true, example: EXAMPLE_ADDRESS })
  email: string;
}

export class FoundTenantRequestDto {
  @Name('Name of the tenant.', { max: 100, example: 'Contoso IT' }) name: string;
  @Nested('The person who will administer the tenant; null to invite one later.', () => InviteAdministratorRequestDto, { nullable: true })
  administrator: InviteAdministratorRequestDto | null;
}

export class AdministratorInvitationDto {
  @Text('E-mail address of the invited person.', { example: EXAMPLE_ADDRESS }) email: string;
  @Text('The link at which the person sets a password. It is shown only now.', {
    example: 'https://devices.example.org/invite-confirmation/6F1C…',
  })
  inviteUrl: string;
  @Instant('Expiry of the link.') expiresAt: Date;
  @Bool('True if the link was mailed to the person; false where this server sends no mail.') isMailSent: boolean;
}

export class FoundedTenantDto {
  @Guid(TENANT_ID) tenantId: string;
  @Text('Name of the tenant.', { example: 'Contoso IT' }) tenantName: string;
  @Nested('The invitation of its administrator; null if none was named.', () => AdministratorInvitationDto, { nullable: true })
  invitation: AdministratorInvitationDto | null;
}

export class UnattendedTenantDto {
  @Guid(TENANT_ID) tenantId: string;
  @Instant('Latest expiry among the links of its open invitations, past or future; null if no one is invited.', { nullable: true })
  invitedUntil: Date | null;
}

export class UnattendedTenantsResponseDto {
  @ListOf('The tenants, by id.', () => UnattendedTenantDto) items: UnattendedTenantDto[];
}
