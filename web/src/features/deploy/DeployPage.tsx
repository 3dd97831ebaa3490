import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { classes } from '../../ui/classes.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { AgentBundles } from './AgentBundles.js';
import { Command } from './Command.js';
import { type DeployChoice, keyIdOf } from './deploy-choice.js';
import type { DeployKey } from './deploy-key.js';
import css from './DeployPage.module.css';
import { KeyCustomer } from './KeyCustomer.js';
import { useKeyCustomer } from './key-customer.js';
import { KeyForm } from './KeyForm.js';
import { type DeployOptions, Options } from './Options.js';
import { deploymentOptionsQuery } from '../../api/devices/deployment-options.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/deploy');

/** Puts the agent on devices: a key, a platform, one command, and the device turns green. */
export function DeployPage(): ReactNode {
  const choice = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t('title')}>
      <DeployPanel choice={choice} onChoose={(next) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })} />
    </Page>
  );
}

interface DeployPanelProps {
  readonly choice: DeployChoice;
  /** Gets changes of the choice. */
  readonly onChoose: (change: DeployChoice) => void;
}

/** The same as a part of another page, which keeps the choice. */
export function DeployPanel({ choice, onChoose }: DeployPanelProps): ReactNode {
  const [key, setKey] = useState<DeployKey | null>(null);
  // What the user chose; the rest is as the tenant's settings and the key have it.
  const [chosen, setChosen] = useState<Partial<DeployOptions>>({});
  const mayInstall = useCan('agent.install');
  const wanted = useQuery({ ...deploymentOptionsQuery, enabled: mayInstall });
  const keyCustomer = useKeyCustomer(key, chosen.customerId);
  const options: DeployOptions = {
    tagIds: [],
    instanceId: wanted.data?.appendInstanceId === true ? (wanted.data.instanceId ?? '') : '',
    customerId: keyCustomer.shown,
    ...chosen,
  };
  return (
    <div className={css.columns}>
      <div className={css.first}>
        <section className={frame.panel} aria-labelledby="deploy-devices">
          <h2 id="deploy-devices">{t('devices-title')}</h2>
          <Options
            options={options}
            onChange={(change) => {
              setChosen({ ...chosen, ...change });
              if (change.customerId !== undefined && key !== null) keyCustomer.change(key, change.customerId);
            }}
          />
        </section>
        <section className={frame.panel} aria-labelledby="deploy-key">
          <h2 id="deploy-key">{t('key-title')}</h2>
          <KeyForm
            storedId={keyIdOf(choice)}
            current={key}
            onKey={(next) => {
              setKey(next);
              if (next !== null) keyCustomer.begin(next);
              onChoose({ key: next?.id });
            }}
          />
        </section>
      </div>
      <section className={frame.panel} aria-labelledby="deploy-command">
        <h2 id="deploy-command">{t('command-title')}</h2>
        {wanted.isError && wanted.data === undefined ? (
          // Without the tenant's settings, the command might leave out the name of the instance.
          <ErrorState error={wanted.error} onRetry={() => void wanted.refetch()} />
        ) : key === null ? (
          <p className="muted">{t('key-first')}</p>
        ) : (
          <Command deployKey={key} options={options} platform={choice.os} onPlatform={(os) => onChoose({ os })}>
            <KeyCustomer state={keyCustomer} />
          </Command>
        )}
      </section>
      {mayInstall && (
        <section className={classes(frame.panel, css.whole)} aria-labelledby="deploy-agents">
          <h2 id="deploy-agents">{t('bundles-title')}</h2>
          <AgentBundles />
        </section>
      )}
    </div>
  );
}
