import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { confirmEmail } from '../../api/people/sign-in.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { mailedCode } from './mailed-code.js';
import { ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

/** Confirms an address with the code of a mail, by a press: programs that look into mails open links by themselves. */
export function ConfirmEmailPage(): ReactNode {
  const code = mailedCode(useLocation().hash);
  const confirm = useMutation({ mutationFn: () => confirmEmail(code ?? '') });
  if (confirm.isSuccess) {
    return (
      <>
        <ColumnHead title={t('confirmed-title')}>{t('confirmed-text', { email: confirm.data })}</ColumnHead>
        <LinkButton to="/signin" look="primary">
          {t('sign-in')}
        </LinkButton>
      </>
    );
  }
  if (code === null) {
    return (
      <>
        <ColumnHead title={t('link-incomplete-title')}>{t('link-incomplete-text')}</ColumnHead>
        <LinkButton to="/signin">{t('to-sign-in')}</LinkButton>
      </>
    );
  }
  return (
    <>
      <ColumnHead title={t('confirm-title')} />
      {confirm.isError && (
        <Banner look="bad">
          <ProblemText error={confirm.error} />
        </Banner>
      )}
      <Button look="primary" wide busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('confirm-address')}
      </Button>
    </>
  );
}
