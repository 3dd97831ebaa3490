import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type AgentBundle, agentBundlesQuery } from '../../api/devices/agent-bundles.js';
import { platformName } from '../../model/platforms.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Part } from './Part.js';
import css from './ServerSettings.module.css';
import { stateOfBundles } from './states.js';
import { t } from './texts.js';

/** The platforms that the server has agents for. They are built on Deploy. */
export function Agents(): ReactNode {
  const { data, error, refetch } = useQuery(agentBundlesQuery);
  if (data === undefined)
    return (
      <Part name="agents" title={t('agents')}>
        {error === null ? <SkeletonList rows={2} columns={[1]} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Part>
    );
  const state = stateOfBundles(data.items);
  return (
    <Part name="agents" title={t('agents')} state={state}>
      <p className="muted">{t(state === 'NotSetUp' ? 'agents-none' : 'agents-text')}</p>
      <ul>
        {data.items.map((bundle) => (
          <li key={bundle.platform} className={css.bundle}>
            <span className={css.platform}>{platformName(bundle.platform)}</span>
            <span className={bundle.version === null ? 'muted' : undefined}>{words(bundle)}</span>
            {bundle.failure !== null && <code className={css.failure}>{bundle.failure}</code>}
          </li>
        ))}
      </ul>
      <div>
        <LinkButton to="/deploy">{t('agents-deploy')}</LinkButton>
      </div>
    </Part>
  );
}

function words({ state, version }: AgentBundle): string {
  switch (state) {
    case 'Available':
      return version ?? '';
    case 'Missing':
      return t('agents-missing');
    case 'Waiting':
      return t('agents-waiting');
    case 'Building':
      return t('agents-building');
    case 'Failed':
      return t('agents-failed');
  }
}
