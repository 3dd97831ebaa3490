import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';

import { passkeysSupported, stepUpWithPasskey } from '../../api/passkeys.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { Or } from './SignedOutLayout.js';
import { t } from './texts.js';

/** Proves with a passkey who the user is, where the browser has any. */
export function PasskeyProof({ onProven }: { readonly onProven: () => void }): ReactNode {
  const prove = useMutation({
    async mutationFn() {
      if (await stepUpWithPasskey()) onProven();
    },
  });
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
