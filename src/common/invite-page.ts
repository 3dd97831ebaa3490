/** The page where an invitee sets a password; the activation code follows as a segment of its own. */
export const INVITE_PAGE = '/invite-confirmation';
