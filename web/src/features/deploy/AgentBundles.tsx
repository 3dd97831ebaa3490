import { useMutation, useQuery } from '@tanstack/react-query';
import { Hammer } from 'lucide';
import { type ReactNode, useEffect } from 'react';

import { type AgentBundle, agentBundlesQuery, buildBundle, isUnderWay } from '../../api/devices/agent-bundles.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Status } from '../../ui/status/Status.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import css from './DeployPage.module.css';
import { platformName } from '../../model/platforms.js';
import { t } from './texts.js';

/** The platforms that the server has an agent for, and those that it can build one for. */
export function AgentBundles(): ReactNode {
  const { data, error, refetch } = useQuery(agentBundlesQuery);
  const available = data?.items.filter(({ version }) => version !== null).map(({ platform, version }) => `${platform} ${version}`);
  useNewCommands(available?.join());
  if (data === undefined)
    return error === null ? <p className="muted">{t('bundles-loading')}</p> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <ul className={css.bundles}>
      {data.items.map((bundle) => (
        <Bundle key={bundle.platform} bundle={bundle} canBuild={data.canBuild} />
      ))}
    </ul>
  );
}

function Bundle({ bundle, canBuild }: { readonly bundle: AgentBundle; readonly canBuild: boolean }): ReactNode {
  const { platform, state, version, failure } = bundle;
  const build = useMutation({ mutationFn: () => buildBundle(platform), onError: toastProblem });
  const name = platformName(platform);
  return (
    <li className={css.bundle}>
      <b>{name}</b>
      <span className="grow" aria-live="polite">
        <Status look={LOOKS[state]}>{stateText(bundle)}</Status>
        {failure !== null && <code className={css.failure}>{failure}</code>}
      </span>
      {canBuild && (
        <Button
          icon={Hammer}
          busy={build.isPending}
          disabled={isUnderWay(bundle)}
          onClick={() => build.mutate()}
          aria-label={t(version === null ? 'build-name' : 'rebuild-name', { name })}
        >
          {t(version === null ? 'build' : 'rebuild')}
        </Button>
      )}
    </li>
  );
}

const LOOKS = { Available: 'online', Missing: 'offline', Waiting: 'offline', Building: 'offline', Failed: 'error' } as const;

function stateText({ state, version }: AgentBundle): string {
  switch (state) {
    case 'Available':
      return t('bundle-available', { version: version ?? '' });
    case 'Missing':
      return t('bundle-missing');
    case 'Waiting':
      return t('bundle-waiting');
    case 'Building':
      return t('bundle-building');
    case 'Failed':
      return t('bundle-failed');
  }
}

/** Reads the commands of the session again once another bundle is there. */
function useNewCommands(available: string | undefined): void {
  useEffect(() => {
    if (available !== undefined) void changed('session');
  }, [available]);
}
