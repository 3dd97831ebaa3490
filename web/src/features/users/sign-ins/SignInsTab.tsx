import type { ReactNode } from 'react';

import type { LogPart } from '../../../api/people/user-standing.js';
import { t } from '../standing-texts.js';
import { SignInLog } from './SignInLog.js';

interface SignInsTabProps {
  readonly userId: string;
  readonly show: string | undefined;
  readonly onPart: (part: LogPart | undefined) => void;
}

/** The sign-ins of a user. */
export function SignInsTab(props: SignInsTabProps): ReactNode {
  return (
    <section className="stack" aria-labelledby="sign-ins">
      <h2 id="sign-ins">{t('sign-ins')}</h2>
      <SignInLog {...props} />
    </section>
  );
}
