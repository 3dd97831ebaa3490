/** The page on which an invitee sets a password. The activation code is its last path segment. */
export const INVITE_PAGE = '/invite-confirmation';
