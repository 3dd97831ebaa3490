/** State of a user, as a list of users shows it. */
export enum UserState {
  Active = 'Active',
  Invited = 'Invited',
  Unconfirmed = 'Unconfirmed',
  Locked = 'Locked',
  Suspended = 'Suspended',
  Visitor = 'Visitor',
}

/** Facts about a user that decide the state. */
export interface StandingFacts {
  readonly isExternal: boolean;
  readonly isInvited: boolean;
  readonly emailConfirmed: boolean;
  readonly suspendedAt: Date | null;
  readonly lockoutEnd: Date | null;
}

/**
 * Returns the state of a user at a time. Of several that apply, the one comes first that an administrator has to end before the others
 * matter. `mustBeConfirmed` tells that users have to confirm their addresses before they sign in.
 */
export function stateOf(facts: StandingFacts, now: Date, mustBeConfirmed: boolean): UserState {
  if (facts.suspendedAt !== null) return UserState.Suspended;
  if (facts.isExternal) return UserState.Visitor;
  if (facts.isInvited) return UserState.Invited;
  if (facts.lockoutEnd !== null && facts.lockoutEnd > now) return UserState.Locked;
  return mustBeConfirmed && !facts.emailConfirmed ? UserState.Unconfirmed : UserState.Active;
}
