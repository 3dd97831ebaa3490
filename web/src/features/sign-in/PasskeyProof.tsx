import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide';
import type { ReactNode } from 'react';

import { passkeysSupported } from '../../api/people/passkeys.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { Or } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

interface PasskeyProofProps {
  /** Asks for the passkey and continues with it. Does nothing if the user dismissed it. */
  readonly onUse: () => Promise<void>;
}

/** Offers to prove with a passkey who the user is, where the browser has any. */
export function PasskeyProof({ onUse }: PasskeyProofProps): ReactNode {
  const prove = useMutation({ mutationFn: onUse });
  if (!passkeysSupported()) return null;
  return (
    <>
      <Or />
      {prove.isError && (
        <Banner look="bad">
          <ProblemText error={prove.error} />
        </Banner>
      )}
      <Button icon={Fingerprint} wide busy={prove.isPending} onClick={() => prove.mutate()}>
        {t('use-passkey')}
      </Button>
    </>
  );
}
