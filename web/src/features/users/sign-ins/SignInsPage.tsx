import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { t as usersText } from '../../../parts/users/texts.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { Page } from '../../../ui/page/Page.js';
import { t } from '../standing-texts.js';
import { SignInLog } from './SignInLog.js';

const route = getRouteApi('/_app/sign-ins');

/** The sign-in log of the tenant. */
export function SignInsPage(): ReactNode {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t('log')} actions={<LinkButton to="/users">{usersText('title')}</LinkButton>}>
      <p className="muted">{t('log-text')}</p>
      <SignInLog show={show} onPart={(part) => void navigate({ search: { show: part }, replace: true })} />
    </Page>
  );
}
