import { Bool, Instant, Int, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_LIFETIME_DAYS } from './invite-care.js';

export class ResendInviteRequestDto {
  @Int('Days until the new link stops working; 7 without it.', { nullable: true, min: 1, max: MAXIMUM_LIFETIME_DAYS, example: 7 })
  lifetimeDays: number | null;
}

export class ResentInviteDto {
  @Text('The new link, at which the person sets a password. It is shown only now.', {
    example: 'https://devices.example.org/invite-confirmation/6F1C…',
  })
  inviteUrl: string;
  @Instant('Expiry of the link.') expiresAt: Date;
  @Bool('True if the link was mailed to the person; false where this server sends no mail.') isMailSent: boolean;
}

export class InviteExpiryRequestDto {
  @Instant('Expiry of the link: a time within the next 30 days.') expiresAt: Date;
}
