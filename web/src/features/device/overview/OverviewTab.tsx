import { RotateCw } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../../access/can.js';
import { formatInstant, formatNumber, formatRelative } from '../../../i18n/format.js';
import { useOutage } from '../../../live/hub.js';
import { classes } from '../../../ui/classes.js';
import { Badge } from '../../../ui/badge/Badge.js';
import { Button } from '../../../ui/button/Button.js';
import { Meter } from '../../../ui/meter/Meter.js';
import { Property, PropertyList } from '../../../ui/property-list/PropertyList.js';
import { useNow } from '../../../ui/use-now.js';
import { useAgentUpdate, useRefresh } from '../commands.js';
import { useCurrentDevice } from '../current-device.js';
import { architectureOf, platformOf } from '../../../model/devices/device.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { OfflineActs } from '../frame/OfflineActs.js';
import { FirstTab } from '../frame/FirstTab.js';
import { ConnectedNow } from '../inventory/ConnectedNow.js';
import { Inventory } from '../inventory/Inventory.js';
import { Notes } from '../notes/Notes.js';
import { t } from '../texts.js';
import { Drives } from './Drives.js';
import { macAddressText, shareOf, sizeText } from './figures.js';
import { Groups } from './Groups.js';
import css from './OverviewTab.module.css';

/** Overview of the device: its load, drives, system and network. */
export function OverviewTab(): ReactNode {
  const { device, can, isOnlyDevice } = useCurrentDevice();
  const mayReadGroups = useCan('tenant.device-groups.read') && !isOnlyDevice;
  const isOld = useOutage() !== null || !device.isOnline;
  if (!can('device.overview.read')) return <FirstTab />;
  return (
    <DevicePanel title={t('overview')}>
      <Reported />
      <Load isOld={isOld} />
      <div className={css.columns}>
        <div className={css.column}>
          {can('device.read') && (
            <section className={css.part}>
              <Notes />
            </section>
          )}
          <ConnectedNow />
          <Part title={t('drives')} isOld={isOld}>
            <Drives />
          </Part>
          <Part title={t('agent')}>
            <Agent />
          </Part>
          {mayReadGroups && (
            <Part title={t('groups')}>
              <Groups />
            </Part>
          )}
        </div>
        <div className={css.column}>
          <Part title={t('system')}>
            <System />
          </Part>
          <Inventory />
          <Part title={t('network')}>
            <Network />
          </Part>
        </div>
      </div>
    </DevicePanel>
  );
}

interface PartProps {
  readonly title: string;
  /** Its figures are of a time that has passed. */
  readonly isOld?: boolean;
  readonly children: ReactNode;
}

function Part({ title, isOld = false, children }: PartProps): ReactNode {
  return (
    <section className={classes(css.part, isOld && css.old)} aria-label={title}>
      <h2 className={css.title}>{title}</h2>
      {children}
    </section>
  );
}

/** Age of the figures, and a button that requests newer ones. */
function Reported(): ReactNode {
  const { device } = useCurrentDevice();
  const refresh = useRefresh();
  const since = formatRelative(device.lastSeen, useNow());
  const isOld = useOutage() !== null || !device.isOnline;
  return (
    <div className={css.reported}>
      <span className="muted" title={formatInstant(device.lastSeen)}>
        {isOld ? t('figures-of', { since: formatInstant(device.lastSeen) }) : t('figures-reported', { since })}
      </span>
      {!device.isOnline && <OfflineActs />}
      {device.isOnline && (
        <Button look="quiet" icon={RotateCw} busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('refresh')}
        </Button>
      )}
    </div>
  );
}

function Load({ isOld }: { readonly isOld: boolean }): ReactNode {
  const { device } = useCurrentDevice();
  const { cpuUtilization, processorCount, usedMemory, totalMemory, usedStorage, totalStorage } = device;
  return (
    <div className={classes(css.load, isOld && css.old)}>
      <div className={css.meter}>
        <Meter label={t('cpu')} value={cpuUtilization} detail={t('processors', { count: processorCount })} />
      </div>
      <div className={css.meter}>
        <Meter label={t('memory')} value={shareOf(usedMemory, totalMemory)} detail={of(usedMemory, totalMemory)} />
      </div>
      <div className={css.meter}>
        <Meter label={t('storage')} value={shareOf(usedStorage, totalStorage)} detail={of(usedStorage, totalStorage)} />
      </div>
    </div>
  );
}

const of = (used: number, total: number): string => t('used-of', { used: sizeText(used), total: sizeText(total) });

function System(): ReactNode {
  const { device } = useCurrentDevice();
  const { name: platform } = platformOf(device);
  return (
    <PropertyList>
      <Property term={t('own-name')} copy={device.name}>
        {device.name}
      </Property>
      <Property term={t('dns-name')} copy={device.dnsHostName}>
        {device.dnsHostName}
      </Property>
      <Property term={t('operating-system')} copy={device.osDescription}>
        {device.osDescription}
      </Property>
      <Property term={t('platform')}>{[platform, architectureOf(device)].filter(Boolean).join(', ')}</Property>
      <Property term={t('processor-count')}>{formatNumber(device.processorCount)}</Property>
      <Property term={t('users')}>{device.currentUsers.join(', ')}</Property>
      <Property term={t('device-id')} copy={device.id} mono>
        {device.id}
      </Property>
    </PropertyList>
  );
}

function Network(): ReactNode {
  const { device } = useCurrentDevice();
  const addresses = [
    [t('local-ipv4'), device.localIpV4],
    [t('local-ipv6'), device.localIpV6],
    [t('public-ipv4'), device.publicIpV4],
    [t('public-ipv6'), device.publicIpV6],
  ] as const;
  return (
    <PropertyList>
      {addresses.map(([term, address]) => (
        <Property key={term} term={term} copy={address} mono>
          {address}
        </Property>
      ))}
      {device.macAddresses.map(macAddressText).map((address, index) => (
        <Property
          key={address}
          term={device.macAddresses.length === 1 ? t('mac') : t('mac-number', { number: index + 1 })}
          copy={address}
          mono
        >
          {address}
        </Property>
      ))}
    </PropertyList>
  );
}

function Agent(): ReactNode {
  const { device, can } = useCurrentDevice();
  const update = useAgentUpdate();
  return (
    <PropertyList>
      <Property term={t('agent-version')} copy={device.agentVersion}>
        <span className="row wrap">
          {device.agentVersion}
          {device.isOutdated && <Badge look="warn">{t('outdated')}</Badge>}
          {device.isOutdated && device.isOnline && can('device.agent.update') && (
            <Button look="quiet" busy={update.isPending} onClick={() => update.mutate()}>
              {t('update-agent')}
            </Button>
          )}
        </span>
      </Property>
    </PropertyList>
  );
}
