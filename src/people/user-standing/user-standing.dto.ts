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
  @Instant('When the link of the invite was made.') createdAt: Date;
  @Instant('When the link stops working.') expiresAt: Date;
}

export class UserStandingDto {
  @Guid('Id of the user.') userId: string;
  @EnumName('State of the user.', STATE) state: UserState;
  @Instant('When the user signed in last; null for never.', { nullable: true }) lastSignIn: Date | null;
  @Bool('True if sign-in with the password asks for a code of an authenticator app.') hasAuthenticatorApp: boolean;
  @Bool('True if the user can sign in with a passkey.') hasPasskey: boolean;
  @Instant('Since when the user is suspended; null if not.', { nullable: true }) suspendedAt: Date | null;
  @Instant('When the lock-out of the user ends; null if the user is not locked.', { nullable: true }) lockedUntil: Date | null;
  @Instant('When the last visit by a link ends or has ended; null for users who are no visitors, and when it is not known any more.', {
    nullable: true,
  })
  visitEnds: Date | null;
  @Nested('The invite that the user has not accepted yet; null if none.', () => UserInviteDto, { nullable: true })
  invite: UserInviteDto | null;
}

export class UserStandingsResponseDto {
  @ListOf('The users, sorted by name.', () => UserStandingDto) items: UserStandingDto[];
}
