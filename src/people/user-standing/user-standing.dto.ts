import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, ListOf, Nested } from '../../platform/http/binding/fields.js';
import { UserState } from './user-standing.js';

const STATE = namesOf('UserState', UserState, {
  Active: 'The user may sign in.',
  Invited: 'The user has not accepted the invite yet.',
  Unconfirmed: 'The user has to confirm the e-mail address before signing in.',
  Locked: 'Too many sign-ins failed; the lock-out ends by itself.',
  Suspended: 'An administrator suspended the user, whose credentials do not work.',
  Visitor: 'The user of another system, who is let in by links to single devices.',
});

export class UserInviteDto {
  @Guid('Id of the invite.') id: string;
  @Instant('Creation time of the link of the invitation.') createdAt: Date;
  @Instant('Expiry of the link.') expiresAt: Date;
}

export class UserStandingDto {
  @Guid('Id of the user.') userId: string;
  @EnumName('State of the user.', STATE) state: UserState;
  @Instant('Last sign-in of the user; null if there was none.', { nullable: true }) lastSignIn: Date | null;
  @Bool('True if sign-in with the password asks for a code of an authenticator app.') hasAuthenticatorApp: boolean;
  @Bool('True if the user can sign in with a passkey.') hasPasskey: boolean;
  @Instant('Start of the suspension; null if the user is not suspended.', { nullable: true }) suspendedAt: Date | null;
  @Instant('End of the lock-out of the user; null if the user is not locked out.', { nullable: true }) lockedUntil: Date | null;
  @Instant('End of the last visit by a link, past or future; null for users who are not visitors, and if it is no longer known.', {
    nullable: true,
  })
  visitEnds: Date | null;
  @Nested('The invite that the user has not accepted yet; null if none.', () => UserInviteDto, { nullable: true })
  invite: UserInviteDto | null;
}

export class UserStandingsResponseDto {
  @ListOf('The users, sorted by name.', () => UserStandingDto) items: UserStandingDto[];
}
