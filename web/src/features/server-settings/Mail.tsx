import { useMutation } from '@tanstack/react-query';
import { Mail as MailIcon } from 'lucide';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { changed } from '../../api/queries.js';
import { sendTestMail } from '../../api/system/server.js';
import type { ServerSettings } from '../../api/system/server-settings.js';
import { Button } from '../../ui/button/Button.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { Findings, Options, Part } from './Part.js';
import { mailServerOf, senderOf, sendsMail } from './states.js';
import { t } from './texts.js';

type MailSettings = ServerSettings['mail'];

/** The settings of mail, and a test of them. */
export function Mail({ mail }: { readonly mail: MailSettings }): ReactNode {
  const { state, findings, options, encryption, lastDelivery } = mail;
  return (
    <Part name="mail" title={t('mail')} state={state}>
      <Findings of={findings} />
      {encryption !== null && (
        <PropertyList>
          <Property term={t('mail-server')}>{mailServerOf(options)}</Property>
          <Property term={t('sender')}>{senderOf(options)}</Property>
          <Property term={t('encryption')}>{t(`encryption-${encryption}`)}</Property>
          <Property term={t('last')}>
            <LastDelivery of={lastDelivery} />
          </Property>
        </PropertyList>
      )}
      {sendsMail(findings) && <TestMail />}
      <Options of={options} open={state !== 'SetUp'} />
    </Part>
  );
}

function LastDelivery({ of: last }: { readonly of: MailSettings['lastDelivery'] }): ReactNode {
  if (last === null) return t('last-none');
  return (
    <>
      {t(last.failure === null ? 'last-sent' : 'last-failed')} · <RelativeTime at={last.at} />
      {last.failure !== null && <div>{last.failure}</div>}
    </>
  );
}

/** Sends a mail to the caller, to check the settings. */
function TestMail(): ReactNode {
  const { user } = useSession();
  const address = user.email ?? '';
  const send = useMutation({
    mutationFn: sendTestMail,
    onSuccess: () => toast(t('mail-sent', { address })),
    onError: (error) => toastProblem(error),
    // A refusal by the mail server is shown as the last outcome, too.
    onSettled: () => void changed('server-settings'),
  });
  if (address === '') return <p className="muted">{t('mail-no-address')}</p>;
  return (
    <div className="stack">
      <div>
        <Button icon={MailIcon} busy={send.isPending} onClick={() => send.mutate()}>
          {t('mail-send')}
        </Button>
      </div>
      <p className="muted">{t('mail-text', { address })}</p>
    </div>
  );
}
