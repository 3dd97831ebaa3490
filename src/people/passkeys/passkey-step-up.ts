import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SignIn } from '../sign-in/sign-in.js';
import { requireBrowserSession, StepUp } from '../sign-in/step-up.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyProofs } from './passkey-proofs.js';
import { PasskeysService } from './passkeys.service.js';
import { RelyingParties } from './relying-party.js';
import type { ChallengeUse } from './signed-challenge.js';
import type { PasskeyAnswerDto, PasskeyRequestOptionsDto } from './webauthn.dto.js';
import { requestOptions } from './webauthn.js';

const stepUpIn = ({ principal }: RequestContext): ChallengeUse => ({ purpose: 'step-up', holder: requireBrowserSession(principal) });

/** Lets the user of a session prove to be there once more, by one of the user's passkeys. */
@Injectable()
export class PasskeyStepUp {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly proofs: PasskeyProofs,
    private readonly passkeys: PasskeysService,
    private readonly parties: RelyingParties,
    private readonly signIn: SignIn,
    private readonly stepUp: StepUp,
  ) {}

  /** Returns the options with which the browser answers with a passkey of the user. */
  async options(context: RequestContext): Promise<PasskeyRequestOptionsDto> {
    const party = this.parties.party();
    const own = await this.passkeys.list(context.manager, userIdOf(context.principal));
    return requestOptions(party, own, this.challenges.issue(stepUpIn(context)));
  }

  /** Accepts the answer and returns the end of its validity; 401 when it does not hold. */
  prove(context: RequestContext, request: Request, answer: PasskeyAnswerDto): Promise<Date> {
    const userId = userIdOf(context.principal);
    const origin = this.signIn.originOf(request);
    const proof = { answer, use: stepUpIn(context), party: this.parties.party(), origin, userId };
    return this.proofs.accept(context, proof, (tx) => this.stepUp.accept(tx, userId, origin));
  }
}
