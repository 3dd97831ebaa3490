import { Injectable, Logger } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { FailedProofs } from '../sign-in/failed-proofs.js';
import { Accounts, type Account } from '../users/accounts.js';
import { PasskeyChallenges, staleChallenge } from './passkey-challenges.js';
import { Passkey } from './passkey.entity.js';
import type { RelyingParty } from './relying-party.js';
import type { ChallengeUse, SignedChallenge } from './signed-challenge.js';
import type { PasskeyAnswerDto } from './webauthn.dto.js';
import { challengeIn, checkAnswer, countsOn, credentialIdOf, handleOf, type UsedPasskey } from './webauthn.js';

/** The answer of a passkey, and the facts that it must match. */
export interface OfferedProof {
  readonly answer: PasskeyAnswerDto;
  readonly use: ChallengeUse;
  readonly party: RelyingParty;
  readonly origin: SecurityOrigin;
  /** The user who has to prove to be there again; null for a sign-in, where the passkey says who it is. */
  readonly userId: string | null;
}

type Tx = InTransaction<RequestContext>;

/** One sentence for unknown passkeys and for invalid answers. */
const REFUSED = 'The passkey was not accepted.';

/**
 * Checks the answers of passkeys. Nothing is guessed here, so failures are logged and lock nothing, and a lock-out of passwords does not
 * count. An answer is used up in the transaction that it allows.
 */
@Injectable()
export class PasskeyProofs {
  private readonly logger = new Logger('Passkeys');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly challenges: PasskeyChallenges,
    private readonly accounts: Accounts,
    private readonly failures: FailedProofs,
    private readonly clock: Clock,
  ) {}

  /** Checks an answer, and does the work for its user in the same transaction; 401 when it does not hold. */
  async accept<T>(context: RequestContext, proof: OfferedProof, work: (tx: Tx, account: Account) => Promise<T>): Promise<T> {
    const { answer, use, party } = proof;
    const text = (await challengeIn(answer)) ?? '';
    const challenge = this.challenges.read(use, text);
    if (challenge === null) throw staleChallenge();
    const passkey = await context.manager.findOneBy(Passkey, { credentialId: credentialIdOf(answer) });
    const account = passkey === null ? null : await this.accounts.find(context.manager, passkey.userId);
    if (passkey === null || account === null || !namesUser(proof, account.id)) throw unauthorized(REFUSED);

    const { value: used, reason } = await checkAnswer(answer, passkey, text, party);
    if (used === undefined) return this.refuse(account, proof, 'passkey with a wrong answer', reason);
    const outcome = await this.unitOfWork.run(context, async (tx) => {
      const locked = await this.accounts.lock(tx, account.id);
      const refusal = await this.useUp(tx, passkey, challenge, used);
      return refusal === null ? { result: await work(tx, locked) } : { refusal };
    });
    if (outcome.refusal !== undefined) return this.refuse(account, proof, outcome.refusal, 'The signature is right.');
    return outcome.result;
  }

  /**
   * Takes note of the use; the account must be locked, so that uses take turns. Returns the reason for which the answer does not count
   * after all.
   */
  private async useUp({ manager }: Tx, { id }: Passkey, challenge: SignedChallenge, used: UsedPasskey): Promise<string | null> {
    const current = await manager.findOneBy(Passkey, { id });
    if (current === null) return 'passkey that was removed';
    if (!(await this.challenges.useUp(manager, challenge))) return 'passkey answer that was used before';
    if (!countsOn(current.counter, used.counter)) return 'passkey whose counter went back: it may have been copied';
    await manager.update(Passkey, { id }, { ...used, lastUsedAt: this.clock.now() });
    return null;
  }

  private async refuse(account: Account, { origin, userId }: OfferedProof, detail: string, reason: string): Promise<never> {
    this.logger.warn({ message: 'A passkey was refused.', userId: account.id, detail, reason });
    const kind = userId === null ? 'SignInFailed' : 'ProofFailed';
    await this.failures.note(account, origin, kind, detail);
    throw unauthorized(REFUSED);
  }
}

/** Checks that the answer is one of this user. A sign-in needs the handle in it: there, nothing else says that the user was chosen. */
function namesUser({ answer, userId }: OfferedProof, ownerId: string): boolean {
  const { userHandle } = answer.response;
  if (userId !== null && userId !== ownerId) return false;
  return userHandle === null ? userId !== null : userHandle === handleOf(ownerId);
}
