import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Badge } from '../../../ui/badge/Badge.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { RevokeDialog } from '../../../ui/confirm/RevokeDialog.js';
import { CopyField } from '../../../ui/copy/CopyField.js';
import { SecretDialog } from '../../../ui/copy/SecretDialog.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { useSend } from '../../../ui/dialog/use-send.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { OtpField } from '../../../ui/otp-field/OtpField.js';
import { ProblemText } from '../../../ui/states/ProblemText.js';
import { QrCode } from '../../../ui/qr-code/QrCode.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { toast } from '../../../ui/toast/toasts.js';
import { Section } from '../AccountPage.js';
import {
  type AuthenticatorKey,
  createAuthenticatorKey,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  twoFactorQuery,
} from '../../../api/people/two-factor.js';
import { recoveryWarning } from '../recovery-codes.js';
import { t } from '../texts.js';
import css from './TwoFactorSection.module.css';
import type { Schemas } from '../../../model/schemas.js';

type Field = keyof Schemas['EnableTwoFactorRequestDto'];

/** Two-factor sign-in: an authenticator app is set up, its recovery codes are shown once, and it is switched off. */
export function TwoFactorSection(): ReactNode {
  const status = useQuery(twoFactorQuery);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section
      title={t('two-factor')}
      text={t('two-factor-text')}
      actions={status.data?.isEnabled === false ? <SetUp onCodes={setCodes} /> : undefined}
    >
      {status.isError && status.data === undefined && <ErrorState error={status.error} onRetry={() => void status.refetch()} />}
      {status.isPending && <SkeletonList rows={1} columns={[1]} />}
      {status.data?.isEnabled === true && <Enabled left={status.data.recoveryCodesLeft} onCodes={setCodes} />}
      <SecretDialog
        title={t('recovery-codes')}
        description={t('recovery-text')}
        label={t('recovery-codes')}
        value={codes?.join('\n') ?? null}
        onClose={() => setCodes(null)}
      />
    </Section>
  );
}

interface CodesProps {
  /** Shows the new recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
}

function SetUp({ onCodes }: CodesProps): ReactNode {
  const [key, setKey] = useState<AuthenticatorKey | null>(null);
  const begin = useMutation({ mutationFn: async () => setKey(await createAuthenticatorKey()) });
  return (
    <>
      <Button busy={begin.isPending} onClick={() => begin.mutate()}>
        {t('two-factor-set-up')}
      </Button>
      {begin.isError && (
        <Banner look="bad">
          <ProblemText error={begin.error} />
        </Banner>
      )}
      <Dialog
        open={key !== null}
        onClose={() => setKey(null)}
        title={t('two-factor-set-up')}
        description={t('two-factor-scan')}
        keepOnOutsideClick
      >
        {key !== null && <ConfirmApp appKey={key} onClose={() => setKey(null)} onCodes={onCodes} />}
      </Dialog>
    </>
  );
}

interface ConfirmAppProps extends CodesProps {
  readonly appKey: AuthenticatorKey;
  readonly onClose: () => void;
}

function ConfirmApp({ appKey, onClose, onCodes }: ConfirmAppProps): ReactNode {
  const { send, isSending, error } = useSend(async (code: string) => onCodes(await enableTwoFactor(code)), onClose);
  return (
    <Form<Field> error={error} onSubmit={({ code = '' }) => send(code)}>
      <div className={css.qr}>
        <QrCode text={appKey.uri} label={t('two-factor-qr')} size={184} />
      </div>
      <CopyField label={t('two-factor-key')} value={appKey.sharedKey} hint={t('two-factor-key-hint')} wrap />
      <OtpField<Field> name="code" label={t('two-factor-code')} error={error} autoFocus />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {t('two-factor-on')}
        </Button>
      </FormActions>
    </Form>
  );
}

const LOOKS = { few: 'warn', last: 'warn', gone: 'bad' } as const;

function Enabled({ left, onCodes }: CodesProps & { readonly left: number }): ReactNode {
  const [asks, setAsks] = useState<'codes' | 'off' | null>(null);
  const warning = recoveryWarning(left);
  return (
    <>
      <div className="row wrap">
        <Badge look="ok">{t('two-factor-is-on')}</Badge>
        <span className="muted">{t('recovery-left', { count: left })}</span>
      </div>
      {warning !== 'none' && <Banner look={LOOKS[warning]}>{t(`recovery-${warning}`)}</Banner>}
      <div className="row wrap">
        <Button onClick={() => setAsks('codes')}>{t('recovery-renew')}</Button>
        <Button onClick={() => setAsks('off')}>{t('two-factor-off')}</Button>
      </div>
      <RevokeDialog
        subject={asks === 'codes' ? asks : null}
        onClose={() => setAsks(null)}
        title={() => t('recovery-renew-title')}
        text={() => t('recovery-renew-text')}
        action={() => t('recovery-renew')}
        act={async () => onCodes(await renewRecoveryCodes())}
      />
      <RevokeDialog
        subject={asks === 'off' ? asks : null}
        onClose={() => setAsks(null)}
        title={() => t('two-factor-off-title')}
        text={() => t('two-factor-off-text')}
        action={() => t('two-factor-off')}
        act={disableTwoFactor}
        onDone={() => toast(t('two-factor-is-off'))}
      />
    </>
  );
}
