/** Secrets that connect a provider's answer with the sign-in flow that asked for it. */
export interface SignInFlowSecrets {
  /** Comes back with the answer. */
  readonly state: string;
  /** Comes back in the signed token. */
  readonly nonce: string;
  /** Proves that the code is redeemed by the party that asked for it (PKCE). */
  readonly codeVerifier: string;
}

/** A person's identity at a provider. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** The issuer's identifier of the person. Unlike names and addresses, it never changes. */
  readonly subject: string;
  readonly displayName: string | null;
  readonly email: string | null;
  /** True if the provider has checked that the address is the person's, and is trusted about it. */
  readonly isEmailVerified: boolean;
  /**
   * Seconds from when the person last proved to the provider to be there to its answer. Infinite when it left that out although it was
   * asked; null when it has no way to say it.
   */
  readonly signInAge: number | null;
}

/** A request to a provider. */
export interface SignInWish {
  /** The address to which the browser returns. */
  readonly redirectUri: string;
  /** True if the person must sign in there even if already signed in. Providers that cannot request this ignore it. */
  readonly isAnew: boolean;
}

/** An external service that identifies people. */
export interface ExternalProvider {
  /** Stands in addresses. */
  readonly name: string;
  readonly displayName: string;
  /** Returns the provider's address to which the browser goes to sign in. */
  addressFor(wish: SignInWish, secrets: SignInFlowSecrets): Promise<URL>;
  /** Returns the identity of the person, from the address to which the provider has sent the browser. */
  identify(answer: URL, secrets: SignInFlowSecrets): Promise<ExternalIdentity>;
}

/** The path to which a provider of this name sends browsers back. */
export const callbackPathOf = (name: string): string => `/account/external/${name}/callback`;

/** Reasons for which a sign-in or connection failed. The names stand in addresses, so that pages can use their own words. */
export const EXTERNAL_SIGN_IN_ERRORS = {
  Expired: 'the sign-in was started in another browser or more than ten minutes ago, or was already completed',
  Denied: 'the user declined at the provider',
  ProviderUnavailable: 'the provider does not respond',
  ProviderFailed: 'the provider sent an invalid response; the log says why',
  NotConnected: 'no account is connected to this login, and registration is closed: sign in another way, then connect it',
  AddressTaken: 'an account with the e-mail address of this login already exists: sign in to it another way, then connect the login',
  AddressMissing: 'the provider sent no e-mail address, and an account needs one',
  ConnectedElsewhere: 'the login is connected to another account',
  TooManyLogins: 'the account cannot have more connected logins',
  SessionEnded: 'the session in which it was started has ended',
  OtherLogin: 'the login is not connected to the account of the user who confirms it',
  NotAnew: 'the provider did not ask the user to sign in again',
  Suspended: 'the user is suspended',
  EmailNotConfirmed: 'the e-mail address must be confirmed first, with the link in an e-mail',
} as const;

export type ExternalSignInErrorCode = keyof typeof EXTERNAL_SIGN_IN_ERRORS;

/** An external sign-in that failed. The message is for the log and never repeats the provider's words. */
export class ExternalSignInError extends Error {
  override readonly name = 'ExternalSignInError';

  constructor(
    readonly code: ExternalSignInErrorCode,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${EXTERNAL_SIGN_IN_ERRORS[code]}`, options);
  }
}
