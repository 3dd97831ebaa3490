/** What one passage to a provider and back is tied together by. */
export interface PassageSecrets {
  /** Comes back with the answer. */
  readonly state: string;
  /** Comes back in the signed token. */
  readonly nonce: string;
  /** Proves that whoever redeems the code is who asked for it (PKCE). */
  readonly codeVerifier: string;
}

/** Who somebody is at a provider. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** What the issuer knows the person by. It never changes, other than names and addresses. */
  readonly subject: string;
  readonly displayName: string | null;
  readonly email: string | null;
  /** Whether the provider has checked that the address is the person's, and is to be believed about it. */
  readonly isEmailVerified: boolean;
  /**
   * Seconds from when the person last proved to the provider to be there to its answer. Infinite when it left that out although it was
   * asked; null when it has no way to say it.
   */
  readonly signInAge: number | null;
}

/** What is asked of a provider. */
export interface SignInWish {
  /** Where the browser comes back to. */
  readonly redirectUri: string;
  /** Whether the person is to sign in there even if signed in already. Providers without such a wish leave it out. */
  readonly isAnew: boolean;
}

/** A service elsewhere that says who somebody is. */
export interface ExternalProvider {
  /** Stands in addresses. */
  readonly name: string;
  readonly displayName: string;
  /** Where the browser goes to sign in there. */
  addressFor(wish: SignInWish, secrets: PassageSecrets): Promise<URL>;
  /** Who came back, by the address that the provider has sent the browser to. */
  identify(answer: URL, secrets: PassageSecrets): Promise<ExternalIdentity>;
}

/** Why nobody was signed in or connected. The names stand in addresses, so that pages can say it in their own words. */
export const EXTERNAL_SIGN_IN_ERRORS = {
  Expired: 'the sign-in was begun in another browser, more than ten minutes ago, or was completed before',
  Denied: 'the person did not consent at the provider',
  ProviderUnavailable: 'the provider does not answer',
  ProviderFailed: 'the provider gave an answer that does not hold; the log says why',
  NotConnected: 'no account is connected with this login, and registration is closed: sign in otherwise, and connect it',
  AddressTaken: 'there is an account with the e-mail address of this login: sign in to it otherwise, and connect the login there',
  AddressMissing: 'the provider gives no e-mail address for which an account could be made',
  ConnectedElsewhere: 'the login is connected with another account',
  TooManyLogins: 'the account has as many connected logins as it may have',
  SessionEnded: 'the session in which it was begun has ended',
  OtherLogin: 'the login is none of the user who has to prove to be there',
  NotAnew: 'the provider did not ask the person to sign in again',
  EmailNotConfirmed: 'the e-mail address has to be confirmed first, by the link in a mail',
} as const;

export type ExternalSignInErrorCode = keyof typeof EXTERNAL_SIGN_IN_ERRORS;

/** An external sign-in that came to nothing. The message is for the log and never repeats what the provider says. */
export class ExternalSignInError extends Error {
  override readonly name = 'ExternalSignInError';

  constructor(
    readonly code: ExternalSignInErrorCode,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${EXTERNAL_SIGN_IN_ERRORS[code]}`, options);
  }
}
