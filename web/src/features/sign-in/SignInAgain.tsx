import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';

import { loadForAnother, useSession } from '../../access/session.js';
import { signInWithPasskey } from '../../api/people/passkeys.js';
import { readSession, signIn as sendSignIn } from '../../api/people/sign-in.js';
import { ProblemError } from '../../problem/problem.js';
import { Button } from '../../ui/button/Button.js';
import { PasswordField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { AnchorButton } from '../../ui/link-button/LinkButton.js';
import { OtpField } from '../../ui/otp-field/OtpField.js';
import { tellSignedIn } from '../../parts/sign-in/other-pages.js';
import { goOn } from '../../parts/sign-in/sign-out.js';
import { PasskeyProof } from './PasskeyProof.js';
import { providerStart } from './provider-start.js';
import { Or } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';
import { saysIfWrong } from './wrong-proof.js';

type Field = keyof Schemas['SignInRequestDto'];

interface SignInAgainProps {
  readonly onDecline: () => void;
}

/** Signs in the user of the page again: with the password or a passkey in place, or at a provider and back to the page. */
export function SignInAgain({ onDecline }: SignInAgainProps): ReactNode {
  const { user, server } = useSession();
  const page = useLocation({ select: ({ href }) => href });
  useNeutralTitle();
  return (
    <>
      <p>{t('again-as', { user: user.userName })}</p>
      {user.hasPassword ? (
        <ByPassword onDecline={onDecline} />
      ) : (
        <FormActions>
          <Button onClick={onDecline}>{t('to-sign-in-page')}</Button>
        </FormActions>
      )}
      {user.hasPasskey && <PasskeyProof onUse={() => byPasskey(user.id)} />}
      {(user.hasPassword || user.hasPasskey) && server.externalProviders.length > 0 && <Or />}
      {server.externalProviders.map(({ name, displayName }) => (
        <AnchorButton key={name} href={providerStart(name, page)}>
          {t('sign-in-provider', { provider: displayName })}
        </AnchorButton>
      ))}
    </>
  );
}

/** The title of the window names devices and people: it is another one for as long as nobody is signed in. */
function useNeutralTitle(): void {
  useEffect(() => {
    const { title } = document;
    document.title = [t('again-title'), t('product')].join(' · ');
    return () => {
      document.title = title;
    };
  }, []);
}

/**
 * Goes on in this page, and in the others of this browser that wait for the same. With a temporary password nothing can be reached before
 * another one is chosen.
 */
function enter(userId: string, mustChangePassword: boolean): void {
  if (mustChangePassword) {
    const next = location.pathname + location.search + location.hash;
    return location.assign(`/password-change-required?${new URLSearchParams({ next })}`);
  }
  tellSignedIn(userId);
  goOn();
}

/**
 * Signs in by a passkey, which names its user by itself: that of another user opens their page, and sends nothing that this user has begun.
 */
async function byPasskey(userId: string): Promise<void> {
  const answer = await signInWithPasskey();
  if (answer === null) return;
  if (answer.outcome === 'EmailConfirmationRequired') throw new ProblemError(403, { detail: t('confirm-first-passkey') });
  const { user } = await readSession();
  if (user.id === userId) enter(userId, answer.mustChangePassword);
  else await loadForAnother();
}

function ByPassword({ onDecline }: SignInAgainProps): ReactNode {
  const { user } = useSession();
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useMutation({
    async mutationFn({ password, twoFactorCode }: { readonly password: string; readonly twoFactorCode?: string }) {
      const credentials = { userName: user.userName, password, twoFactorCode: twoFactorCode ?? null, isPersistent: false };
      // The password was right when it was sent alone.
      const { outcome, mustChangePassword } = await (needsCode
        ? sendSignIn(credentials).catch(saysIfWrong(t('wrong-code')))
        : sendSignIn(credentials));
      if (outcome === 'TwoFactorRequired') return setNeedsCode(true);
      if (outcome === 'EmailConfirmationRequired') throw new ProblemError(403, { detail: t('confirm-first', { email: user.userName }) });
      enter(user.id, mustChangePassword);
    },
  });
  return (
    <Form<Field> error={signIn.error} onSubmit={({ password = '', twoFactorCode }) => signIn.mutate({ password, twoFactorCode })}>
      <input type="hidden" name="userName" autoComplete="username" value={user.userName} />
      <PasswordField<Field> name="password" label={t('password')} autoComplete="current-password" required autoFocus />
      {needsCode && <OtpField<Field> name="twoFactorCode" label={t('code')} error={signIn.error} autoFocus />}
      <FormActions>
        <Button onClick={onDecline}>{t('sign-out-now')}</Button>
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </FormActions>
    </Form>
  );
}
