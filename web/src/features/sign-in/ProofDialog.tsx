import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { proofDeclined, proofGiven, useNeededProof } from '../../access/proof.js';
import { renewSession, useSession } from '../../access/session.js';
import { api, bodyOf } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { queryClient } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { PasswordField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import { OtpField } from '../../ui/otp-field/OtpField.js';
import { PasskeyProof } from './PasskeyProof.js';
import { t } from './texts.js';

/** Asks, over the page, to sign in again or to prove again who one is, while requests wait for it. */
export function ProofDialog(): ReactNode {
  const needed = useNeededProof();
  const router = useRouter();
  const giveUp = (): void => {
    proofDeclined(new ProblemError(needed === 'sign-in' ? 401 : 403, { detail: t('proof-declined') }));
    if (needed === 'sign-in') void renewSession().then(() => router.invalidate());
  };
  return (
    <Dialog
      open={needed !== null}
      onClose={giveUp}
      keepOnOutsideClick
      title={needed === 'sign-in' ? t('again-title') : t('step-up-title')}
      description={needed === 'sign-in' ? t('again-text') : t('step-up-text')}
    >
      {needed === 'sign-in' && <SignInAgain onDecline={giveUp} />}
      {needed === 'step-up' && <StepUp onDecline={giveUp} />}
    </Dialog>
  );
}

interface ProofProps {
  readonly onDecline: () => void;
}

function SignInAgain({ onDecline }: ProofProps): ReactNode {
  const { user } = useSession();
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useMutation({
    async mutationFn({ password, twoFactorCode }: { readonly password: string; readonly twoFactorCode?: string }) {
      const body = { userName: user.userName, password, twoFactorCode: twoFactorCode ?? null, isPersistent: true };
      const { outcome } = await bodyOf(api.POST('/account/sign-in', { body }));
      if (outcome === 'TwoFactorRequired') return setNeedsCode(true);
      proofGiven();
      await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    },
  });
  return (
    <Form error={signIn.error} onSubmit={({ password = '', twoFactorCode }) => signIn.mutate({ password, twoFactorCode })}>
      <input type="hidden" name="userName" autoComplete="username" value={user.userName} />
      <PasswordField name="password" label={t('password')} autoComplete="current-password" required autoFocus />
      {needsCode && <OtpField name="twoFactorCode" label={t('code')} error={signIn.error} autoFocus />}
      <FormActions>
        <Button onClick={onDecline}>{t('sign-out-now')}</Button>
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </FormActions>
    </Form>
  );
}

function StepUp({ onDecline }: ProofProps): ReactNode {
  const { user } = useSession();
  const [usesCode, setUsesCode] = useState(false);
  const stepUp = useMutation({
    async mutationFn(values: Readonly<Record<string, string>>) {
      await api.POST('/account/step-up', { body: { password: values.password ?? null, twoFactorCode: values.twoFactorCode ?? null } });
      proofGiven();
    },
  });
  return (
    <>
      <Form error={stepUp.error} onSubmit={(values) => stepUp.mutate(values)}>
        {usesCode ? (
          <OtpField name="twoFactorCode" label={t('code')} error={stepUp.error} autoFocus />
        ) : (
          <PasswordField name="password" label={t('password')} autoComplete="current-password" required autoFocus />
        )}
        {user.isTwoFactorEnabled && (
          <button type="button" className="link" onClick={() => setUsesCode(!usesCode)}>
            {usesCode ? t('use-password') : t('use-app')}
          </button>
        )}
        <FormActions>
          <Button onClick={onDecline}>{t('cancel')}</Button>
          <Button type="submit" look="primary" busy={stepUp.isPending}>
            {t('confirm')}
          </Button>
        </FormActions>
      </Form>
      <PasskeyProof onProven={proofGiven} />
    </>
  );
}
