const SCHEMES = ['http:', 'https:'];

/** A link that may stand in a mail. @throws Error when it is no complete http or https address, or carries a user name */
export function webLink(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : null;
  if (url === null || !SCHEMES.includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error('A mail can only have links to http and https addresses.');
  }
  return url.href;
}
