import { Guid, Instant, ListOf, Text } from '../http/binding/fields.js';

const MAXIMUM_ADDRESS_LENGTH = 256;

export class InviteResponseDto {
  @Guid('') id: string;
  @Instant('') createdAt: Date;
  @Text('') inviteeEmail: string;
  @Text('Where the invitee sets a password. It ends in the activation code while that is valid, for callers that may invite.')
  inviteUrl: string;
}

export class InvitesResponseDto {
  @ListOf('', () => InviteResponseDto) items: InviteResponseDto[];
}

export class CreateInviteRequestDto {
  @Text('', { format: 'email', max: MAXIMUM_ADDRESS_LENGTH, notBlank: true }) inviteeEmail: string;
}
