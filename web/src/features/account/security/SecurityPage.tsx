import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { AccountPage } from '../AccountPage.js';
import { LoginsSection } from './LoginsSection.js';
import { PasskeysSection } from './PasskeysSection.js';
import { PasswordSection } from './PasswordSection.js';
import { SecurityLogSection } from './SecurityLogSection.js';
import { TwoFactorSection } from './TwoFactorSection.js';

const route = getRouteApi('/_app/account/security');

/** Page for the user's ways to sign in, with their security log. */
export function SecurityPage(): ReactNode {
  const { externalError } = route.useSearch();
  return (
    <AccountPage tab="security">
      <PasswordSection />
      <PasskeysSection />
      <TwoFactorSection />
      <LoginsSection externalError={externalError} />
      <SecurityLogSection />
    </AccountPage>
  );
}
