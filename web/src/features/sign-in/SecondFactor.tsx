import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { signIn as sendSignIn } from '../../api/people/sign-in.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { OtpField } from '../../ui/otp-field/OtpField.js';
import { ColumnFoot, ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';
import { saysIfWrong } from './wrong-proof.js';

type Field = keyof Schemas['SignInRequestDto'];

/** Credentials of the first step, which the second one repeats. */
export interface Credentials {
  readonly userName: string;
  readonly password: string;
  readonly isPersistent: boolean;
}

interface SecondFactorProps {
  readonly credentials: Credentials;
  readonly onSignedIn: (mustChangePassword: boolean) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks for the code of an authenticator app, or for a recovery code. */
export function SecondFactor({ credentials, onSignedIn, onBack }: SecondFactorProps): ReactNode {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const field = usesRecoveryCode ? 'recoveryCode' : 'twoFactorCode';
  const signIn = useMutation({
    async mutationFn(code: string) {
      const { mustChangePassword } = await sendSignIn({ ...credentials, [field]: code }).catch(saysIfWrong(t('wrong-code')));
      await onSignedIn(mustChangePassword);
    },
  });
  return (
    <>
      <ColumnHead title={usesRecoveryCode ? t('recovery-title') : t('two-factor-title')}>
        {usesRecoveryCode ? t('recovery-text') : t('two-factor-text')}
      </ColumnHead>
      <Form<Field> key={field} error={signIn.error} onSubmit={(values) => signIn.mutate((values[field] ?? '').replace(/[\s-]/g, ''))}>
        {usesRecoveryCode ? (
          <TextField<Field> name={field} label={t('recovery-code')} autoComplete="off" required autoFocus />
        ) : (
          <OtpField<Field> name={field} label={t('code')} error={signIn.error} autoFocus />
        )}
        <Button type="submit" look="primary" wide busy={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </Form>
      <ColumnFoot>
        <button
          type="button"
          className="link"
          onClick={() => {
            // The failure is that of the other code.
            signIn.reset();
            setUsesRecoveryCode(!usesRecoveryCode);
          }}
        >
          {usesRecoveryCode ? t('use-app') : t('use-recovery-code')}
        </button>
        <button type="button" className="link" onClick={onBack}>
          {t('back')}
        </button>
      </ColumnFoot>
    </>
  );
}
