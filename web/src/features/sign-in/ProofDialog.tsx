import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { proofDeclined, useNeededProof } from '../../access/proof.js';
import { ProblemError } from '../../problem/problem.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { endSession } from '../../parts/sign-in/sign-out.js';
import { SignInAgain } from './SignInAgain.js';
import { StepUp } from './StepUp.js';
import { t } from '../../parts/sign-in/texts.js';

/** Asks, over the page, to sign in again or to prove again who one is, while requests wait for it. */
export function ProofDialog(): ReactNode {
  const needed = useNeededProof();
  const router = useRouter();
  const leave = async (): Promise<void> => {
    await endSession();
    // Another user may sign in there: the address of this page does not belong to them.
    await router.navigate({ to: '/signin', search: {}, replace: true, ignoreBlocker: true });
  };
  const giveUp = (): void => {
    proofDeclined(new ProblemError(needed === 'sign-in' ? 401 : 403, { detail: t('proof-declined') }));
    if (needed === 'sign-in') leave().catch(toastProblem);
  };
  return (
    <Dialog
      open={needed !== null}
      onClose={giveUp}
      keepOnOutsideClick
      covers={needed === 'sign-in'}
      title={needed === 'sign-in' ? t('again-title') : t('step-up-title')}
      description={needed === 'sign-in' ? t('again-text') : t('step-up-text')}
    >
      {needed === 'sign-in' && <SignInAgain onDecline={giveUp} />}
      {needed === 'step-up' && <StepUp onDecline={giveUp} />}
    </Dialog>
  );
}
