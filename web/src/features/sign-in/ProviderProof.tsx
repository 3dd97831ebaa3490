import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { LogIn } from 'lucide';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { loginsQuery, proveAtProvider } from '../../api/people/logins.js';
import { returnPathTo } from './provider-start.js';
import { Or } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

/** Proves at a provider who the user is, with a login of the account. It leads away and back to the page, where the act is begun again. */
export function ProviderProof(): ReactNode {
  const { server } = useSession();
  const page = useLocation({ select: ({ href }) => href });
  const logins = useQuery({ ...loginsQuery, enabled: server.externalProviders.length > 0 });
  const prove = useMutation({
    async mutationFn(provider: string) {
      location.assign(await proveAtProvider(provider, returnPathTo(page)));
    },
  });
  const connected = new Set((logins.data ?? []).map(({ provider }) => provider));
  const providers = server.externalProviders.filter(({ name }) => connected.has(name));
  const error = logins.error ?? prove.error;
  return (
    <>
      {providers.length > 0 && <Or />}
      {error !== null && (
        <Banner look="bad">
          <ProblemText error={error} />
        </Banner>
      )}
      {providers.map(({ name, displayName }) => (
        <Button key={name} icon={LogIn} wide busy={prove.isPending && prove.variables === name} onClick={() => prove.mutate(name)}>
          {t('prove-at-provider', { provider: displayName })}
        </Button>
      ))}
    </>
  );
}
