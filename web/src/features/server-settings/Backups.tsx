import type { ReactNode } from 'react';

import type { ServerSettings } from '../../api/system/server-settings.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { Findings, Options, Part } from './Part.js';
import { t } from './texts.js';

/** The settings of the service's own backups, and the last one. */
export function Backups({
  backups: { state, findings, options, lastSuccessAt, failure },
}: {
  readonly backups: ServerSettings['backups'];
}): ReactNode {
  return (
    <Part name="backups" title={t('backups')} state={state}>
      <Findings of={findings} />
      {failure !== null && <p>{failure}</p>}
      <PropertyList>
        <Property term={t('backups-last')}>
          {lastSuccessAt === null ? t('backups-last-none') : <RelativeTime at={lastSuccessAt} />}
        </Property>
      </PropertyList>
      <div>
        <LinkButton to="/server/backups">{t('backups-link')}</LinkButton>
      </div>
      <Options of={options} open={state === 'NotSetUp'} />
    </Part>
  );
}
