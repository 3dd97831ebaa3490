import { Guid, Instant, ListOf, Text } from '../../platform/http/binding/fields.js';

export const MAXIMUM_ADDRESS_LENGTH = 256;

export class InviteResponseDto {
  @Guid('Id of the invite.') id: string;
  @Instant('Creation time of the invitation.') createdAt: Date;
  @Text('E-mail address of the invited person.', { example: 'anna@contoso.example' }) inviteeEmail: string;
  @Text(
    'Page at which the person sets a password. The answer that makes the invite has the activation code at its end, once; lists leave it out.',
    {
      example: 'https://devices.example.org/invite-confirmation/6F1C…',
    },
  )
  inviteUrl: string;
}

export class InvitesResponseDto {
  @ListOf('The invites, newest first.', () => InviteResponseDto) items: InviteResponseDto[];
}

export class CreateInviteRequestDto {
  @Text('E-mail address of the invited person.', {
    format: 'email',
    max: MAXIMUM_ADDRESS_LENGTH,
    notBlank: true,
    example: 'anna@contoso.example',
  })
  inviteeEmail: string;
}
