import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { FailedProofs } from '../sign-in/failed-proofs.js';
import { suspended } from '../sign-in/refused-identity.js';
import { SignInOutcome, type SignInResponseDto } from '../sign-in/sign-in.dto.js';
import { SignIn } from '../sign-in/sign-in.js';
import { Accounts } from '../users/accounts.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyProofs } from './passkey-proofs.js';
import { RelyingParties } from './relying-party.js';
import type { ChallengeUse } from './signed-challenge.js';
import { VisitorCookie } from './visitor-cookie.js';
import type { PasskeyAnswerDto, PasskeyRequestOptionsDto } from './webauthn.dto.js';
import { requestOptions } from './webauthn.js';

const signInOf = (visitor: string): ChallengeUse => ({ purpose: 'sign-in', holder: visitor });

/** Signs visitors in by their passkeys, which need no second factor: they ask for the device and for a PIN or a fingerprint. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly proofs: PasskeyProofs,
    private readonly parties: RelyingParties,
    private readonly visitors: VisitorCookie,
    private readonly signIn: SignIn,
    private readonly accounts: Accounts,
    private readonly failures: FailedProofs,
    private readonly settings: Settings,
  ) {}

  /** Returns the options with which any visitor's browser answers with a passkey. They name no user and no passkey. */
  options(request: Request, response: Response): PasskeyRequestOptionsDto {
    const party = this.parties.party();
    return requestOptions(party, [], this.challenges.issue(signInOf(this.visitors.remember(request, response))));
  }

  /** Signs the user of a passkey in; 401 when its answer does not hold, 403 for a suspended user. */
  async complete(request: Request, response: Response, answer: PasskeyAnswerDto): Promise<SignInResponseDto> {
    const isPersistent = this.settings.appOptions.persistPasskeyLogin;
    const former = await this.signIn.formerOf(request);
    const proof = {
      answer,
      use: signInOf(this.visitors.read(request) ?? ''),
      party: this.parties.party(),
      origin: this.signIn.originOf(request),
      userId: null,
    };
    const signedIn = await this.proofs.accept(this.signIn.contextOf(request), proof, async (tx, account) => {
      if (account.suspendedAt !== null) return { account, session: null };
      if (this.accounts.mustBeConfirmed && !account.emailConfirmed) return null;
      const signIn = { userId: account.id, method: SignInMethod.Passkey, isPersistent };
      return { account, session: await this.signIn.open(tx, request, signIn, former) };
    });
    if (signedIn === null) return { outcome: SignInOutcome.EmailConfirmationRequired, mustChangePassword: false };
    if (signedIn.session === null) {
      await this.failures.noteSuspended(signedIn.account, proof.origin);
      throw suspended();
    }
    this.signIn.remember(response, signedIn.session);
    return { outcome: SignInOutcome.SignedIn, mustChangePassword: signedIn.account.requirePasswordChange };
  }
}
