import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type ServerSettings, serverSettingsQuery } from '../../api/system/server-settings.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { PartHead, PartList } from '../../ui/part-list/PartList.js';
import { Agents } from './Agents.js';
import { Backups } from './Backups.js';
import { Mail } from './Mail.js';
import { Findings, Options, Part, State } from './Part.js';
import css from './ServerSettings.module.css';
import { differs } from './states.js';
import { t } from './texts.js';

/** Page that shows what of the server's configuration is set, what is missing, and how to set it. */
export function ServerSettingsPage(): ReactNode {
  const settings = useQuery(serverSettingsQuery);
  return (
    <Page title={t('title')} actions={<LinkButton to="/server/health">{t('health')}</LinkButton>}>
      {settings.data === undefined ? (
        settings.error === null ? (
          <SkeletonList rows={6} columns={[2]} />
        ) : (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        )
      ) : (
        <>
          <p className="muted">{t('intro')}</p>
          <PartList>
            <Mail mail={settings.data.mail} />
            <Address address={settings.data.address} />
            <Registration registration={settings.data.registration} />
            <Providers state={settings.data.providersState} providers={settings.data.providers} />
            <Backups backups={settings.data.backups} />
            <Agents />
          </PartList>
        </>
      )}
    </Page>
  );
}

function Address({ address: { state, findings, options, address } }: { readonly address: ServerSettings['address'] }): ReactNode {
  const { origin } = location;
  const isElsewhere = differs(address, origin);
  const [option] = options;
  return (
    <Part name="address" title={t('address')} state={isElsewhere ? 'NeedsAttention' : state}>
      <Findings of={findings} />
      {isElsewhere && <p>{t('address-differs')}</p>}
      {address !== null && (
        <PropertyList>
          <Property term={t('address')} copy={address}>
            {address}
          </Property>
          {isElsewhere && (
            <Property term={t('address-browser')} copy={origin}>
              {origin}
            </Property>
          )}
        </PropertyList>
      )}
      {address === null && option !== undefined && <CopyField label={t('address-line')} value={`${option.variable}=${origin}`} />}
      <Options of={options} open={state !== 'SetUp'} />
    </Part>
  );
}

function Registration({ registration: part }: { readonly registration: ServerSettings['registration'] }): ReactNode {
  return (
    <Part name="registration" title={t('registration')} state={part.state}>
      <Findings of={part.findings} />
      <PropertyList>
        <Property term={t('registration-who')}>{t(`registration-${part.registration}`)}</Property>
      </PropertyList>
      <Options of={part.options} open={part.state !== 'SetUp'} />
    </Part>
  );
}

function Providers({
  state,
  providers,
}: {
  readonly state: ServerSettings['providersState'];
  readonly providers: ServerSettings['providers'];
}): ReactNode {
  // GitHub, Microsoft and the options of one more are always there.
  const another = providers.length > 3 ? 'provider-more' : 'provider-openid';
  return (
    <Part name="providers" title={t('providers')} state={state}>
      {state === 'NotSetUp' && <p className="muted">{t('providers-none')}</p>}
      {providers.map((provider) => (
        <div key={provider.callbackAddress} className={css.provider}>
          <PartHead>
            <h3>{provider.displayName ?? t(another)}</h3>
            <State of={provider.state} />
          </PartHead>
          <Findings of={provider.findings} />
          <CopyField label={t('callback')} value={provider.callbackAddress} hint={t('callback-text')} />
          <Options of={provider.options} open={provider.state === 'NeedsAttention'} />
        </div>
      ))}
    </Part>
  );
}
