import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { registrationQuery } from '../../api/people/registration.js';
import en from '../../i18n/en/first-administrator.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';
import { Button } from '../../ui/button/Button.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { ColumnHead } from './SignedOutLayout.js';

const t = textsOf('first-administrator', en);

/** Steps with which the operator of a server without users creates its administrator. */
export function FirstAdministratorSteps(): ReactNode {
  const { refetch, isFetching } = useQuery(registrationQuery);
  return (
    <>
      <ColumnHead title={t('title')}>{t('text')}</ColumnHead>
      <h2>{t('operator')}</h2>
      <p>{t('variables')}</p>
      <CopyField label={t('email')} value="Service_Bootstrap__AdminEmail" />
      <CopyField label={t('password')} value="Service_Bootstrap__AdminPassword" hint={t('rules')} />
      <p>{t('files')}</p>
      <CopyField label={t('email')} value="secrets/Bootstrap__AdminEmail" />
      <CopyField label={t('password')} value="secrets/Bootstrap__AdminPassword" />
      <p>{t('restart')}</p>
      <Button look="primary" wide busy={isFetching} onClick={() => void refetch()}>
        {t('check')}
      </Button>
    </>
  );
}
