import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { Fingerprint } from 'lucide';
import { type ReactNode, useState } from 'react';

import { localPath } from '../../access/guards.js';
import { renewSession } from '../../access/session.js';
import { passkeysSupported } from '../../api/people/passkeys.js';
import { resendConfirmation, signIn as sendSignIn } from '../../api/people/sign-in.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { PasswordField, TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { AnchorButton } from '../../ui/link-button/LinkButton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { externalErrorText } from '../../parts/sign-in/external-errors.js';
import { providerStart } from './provider-start.js';
import { registrationQuery, serverOfferQuery } from '../../api/people/registration.js';
import { FirstAdministrator, isWithoutUsers } from './first-administrator.js';
import { ColumnFoot, ColumnHead, Or } from './SignedOutLayout.js';
import { type Credentials, SecondFactor } from './SecondFactor.js';
import { t } from '../../parts/sign-in/texts.js';
import { usePasskeySignIn } from './use-passkey-sign-in.js';
import { saysIfWrong } from './wrong-proof.js';

type Field = keyof Schemas['SignInRequestDto'];

const route = getRouteApi('/_signed-out/signin');

/** Signs in with a password, and then with a second factor where the account asks for it. */
export function SignInPage(): ReactNode {
  const { next } = route.useSearch();
  const router = useRouter();
  const [asksForCode, setAsksForCode] = useState<Credentials | null>(null);
  const { data: registration } = useQuery(registrationQuery);

  const enter = async (mustChangePassword: boolean): Promise<void> => {
    await renewSession();
    if (mustChangePassword) await router.navigate({ to: '/password-change-required', search: { next }, replace: true });
    else await router.navigate({ href: localPath(next), replace: true });
  };

  if (registration !== undefined && isWithoutUsers(registration)) return <FirstAdministrator />;
  if (asksForCode !== null) return <SecondFactor credentials={asksForCode} onSignedIn={enter} onBack={() => setAsksForCode(null)} />;
  return <FirstFactor onCodeNeeded={setAsksForCode} onSignedIn={enter} />;
}

interface FirstFactorProps {
  readonly onCodeNeeded: (credentials: Credentials) => void;
  readonly onSignedIn: (mustChangePassword: boolean) => Promise<void>;
}

function FirstFactor({ onCodeNeeded, onSignedIn }: FirstFactorProps): ReactNode {
  const { next, externalError } = route.useSearch();
  const { data: registration } = useQuery(registrationQuery);
  const { data: offer, error: offerError, refetch: askAgain } = useQuery(serverOfferQuery);
  // An empty name: a passkey signed in, which names nobody.
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const hasPasskeys = offer?.arePasskeysPossible === true && passkeysSupported();
  const passkey = usePasskeySignIn(hasPasskeys, async ({ outcome, mustChangePassword }) => {
    if (outcome === 'EmailConfirmationRequired') setUnconfirmed('');
    else await onSignedIn(mustChangePassword);
  });
  const signIn = useMutation({
    async mutationFn(credentials: Credentials) {
      if (!passkey.withdraw()) return;
      setUnconfirmed(null);
      const { outcome, mustChangePassword } = await sendSignIn(credentials).catch(saysIfWrong(t('wrong-password')));
      if (outcome === 'TwoFactorRequired') onCodeNeeded(credentials);
      else if (outcome === 'EmailConfirmationRequired') setUnconfirmed(credentials.userName);
      else await onSignedIn(mustChangePassword);
    },
    onError: passkey.offerAgain,
  });
  const providers = offer?.externalProviders ?? [];
  return (
    <>
      <ColumnHead title={t('title')} />
      {externalError !== undefined && <Banner look="bad">{externalErrorText(externalError)}</Banner>}
      {unconfirmed !== null && <Unconfirmed email={unconfirmed} />}
      <Form<Field>
        error={signIn.error}
        onSubmit={(values) =>
          signIn.mutate({
            userName: values.userName ?? '',
            password: values.password ?? '',
            isPersistent: values.isPersistent === 'on',
          })
        }
      >
        <TextField<Field> name="userName" label={t('email')} type="email" autoComplete="username webauthn" required autoFocus />
        <PasswordField<Field> name="password" label={t('password')} autoComplete="current-password" required />
        <Checkbox<Field> name="isPersistent" label={t('stay-signed-in')} />
        <Button type="submit" look="primary" wide busy={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </Form>
      {(hasPasskeys || providers.length > 0 || offerError !== null) && <Or />}
      {offerError !== null && <ErrorState error={offerError} onRetry={() => void askAgain()} />}
      {passkey.error !== null && (
        <Banner look="bad">
          <ProblemText error={passkey.error} />
        </Banner>
      )}
      {hasPasskeys && (
        <Button icon={Fingerprint} wide busy={passkey.isPending} onClick={passkey.press}>
          {t('sign-in-passkey')}
        </Button>
      )}
      {providers.map(({ name, displayName }) => (
        <AnchorButton key={name} href={providerStart(name, next)}>
          {t('sign-in-provider', { provider: displayName })}
        </AnchorButton>
      ))}
      <ColumnFoot>
        <Link to="/forgot" className="link">
          {t('forgot')}
        </Link>
        {registration?.isOpen === true && (
          <Link to="/register" className="link">
            {t('register')}
          </Link>
        )}
      </ColumnFoot>
    </>
  );
}

/** The password was right, but the address has to be confirmed first: the mail can be sent again. */
function Unconfirmed({ email }: { readonly email: string }): ReactNode {
  const { data: server } = useQuery(serverOfferQuery);
  const resend = useMutation({ mutationFn: () => resendConfirmation(email) });
  if (server?.isMailSent === false) return <Banner look="warn">{t('confirm-no-mail')}</Banner>;
  if (email === '') return <Banner look="warn">{t('confirm-first-passkey')}</Banner>;
  if (resend.isError)
    return (
      <Banner look="bad">
        <ProblemText error={resend.error} />
      </Banner>
    );
  if (resend.isSuccess) return <Banner look="ok">{t('confirm-resent', { email })}</Banner>;
  return (
    <Banner
      look="warn"
      actions={
        <Button busy={resend.isPending} onClick={() => resend.mutate()}>
          {t('confirm-resend')}
        </Button>
      }
    >
      {t('confirm-first', { email })}
    </Banner>
  );
}
