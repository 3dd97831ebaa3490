/** The page on which an invitee sets a password. The activation code is its last path segment. */
export const INVITE_PAGE = '/invite-confirmation';

/** The address of that page at a service; null leaves out the code, which is known only when it is made. */
export function inviteUrl(serviceAddress: string, activationCode: string | null): string {
  const page = `${serviceAddress}${INVITE_PAGE}`;
  return activationCode === null ? page : `${page}/${activationCode}`;
}
