import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { proofGiven } from '../../access/proof.js';
import { useSession } from '../../access/session.js';
import { stepUpWithPasskey } from '../../api/people/passkeys.js';
import { stepUp as sendStepUp } from '../../api/people/sign-in.js';
import { Button } from '../../ui/button/Button.js';
import { PasswordField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form, type FormValues } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { OtpField } from '../../ui/otp-field/OtpField.js';
import { PasskeyProof } from './PasskeyProof.js';
import { ProviderProof } from './ProviderProof.js';
import { t } from '../../parts/sign-in/texts.js';
import { saysIfWrong } from './wrong-proof.js';

type Field = keyof Schemas['StepUpRequestDto'];

interface StepUpProps {
  readonly onDecline: () => void;
}

/** Confirms who the user is, by any way that the account has: the password, the authenticator app, a passkey, a login elsewhere. */
export function StepUp({ onDecline }: StepUpProps): ReactNode {
  const { user } = useSession();
  const hasForm = user.hasPassword || user.isTwoFactorEnabled;
  return (
    <>
      {hasForm ? (
        <ByPasswordOrCode onDecline={onDecline} />
      ) : (
        <FormActions>
          <Button onClick={onDecline}>{t('cancel')}</Button>
        </FormActions>
      )}
      {user.hasPasskey && <PasskeyProof onUse={byPasskey} />}
      <ProviderProof />
    </>
  );
}

async function byPasskey(): Promise<void> {
  if (await stepUpWithPasskey()) proofGiven();
}

function ByPasswordOrCode({ onDecline }: StepUpProps): ReactNode {
  const { user } = useSession();
  const [usesCode, setUsesCode] = useState(!user.hasPassword);
  const stepUp = useMutation({
    async mutationFn(values: FormValues<Field>) {
      const send = () => sendStepUp({ password: values.password ?? null, twoFactorCode: values.twoFactorCode ?? null });
      await (usesCode ? send().catch(saysIfWrong(t('wrong-code'))) : send());
      proofGiven();
    },
  });
  return (
    <Form<Field> error={stepUp.error} onSubmit={(values) => stepUp.mutate(values)}>
      {usesCode ? (
        <OtpField<Field> name="twoFactorCode" label={t('code')} error={stepUp.error} autoFocus />
      ) : (
        <PasswordField<Field> name="password" label={t('password')} autoComplete="current-password" required autoFocus />
      )}
      {user.hasPassword && user.isTwoFactorEnabled && (
        <button
          type="button"
          className="link"
          onClick={() => {
            // The failure is that of the other way.
            stepUp.reset();
            setUsesCode(!usesCode);
          }}
        >
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
  );
}
