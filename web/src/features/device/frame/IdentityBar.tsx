import { Link, useMatchRoute } from '@tanstack/react-router';
import { Building2, ChevronRight, CircleDashed, User } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../../access/can.js';
import { formatInstant, formatRelative, formatTime } from '../../../i18n/format.js';
import { useOutage } from '../../../live/hub.js';
import { classes } from '../../../ui/classes.js';
import { Icon } from '../../../ui/icon/Icon.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { Status } from '../../../ui/status/Status.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import { platformOf } from '../../../model/devices/device.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';
import { AliasField } from './AliasField.js';
import { DeviceActions } from './DeviceActions.js';
import { DeviceTags } from './DeviceTags.js';
import css from './IdentityBar.module.css';
import { NeighbourLinks } from './NeighbourLinks.js';
import { useLastList } from './useNeighbours.js';
import { SCREEN_PERMISSIONS } from '../../../model/permissions/screen-permissions.js';

/** Identity of the device, in every tab: it never scrolls away. */
export function IdentityBar(): ReactNode {
  const { device, can, isOnlyDevice } = useCurrentDevice();
  const { icon, name: platform } = platformOf(device);
  return (
    <div className={css.bar}>
      {!isOnlyDevice && (
        <div className={css.way}>
          <Breadcrumb />
          <NeighbourLinks />
        </div>
      )}
      <div className={css.main}>
        <div className={css.identity}>
          <Icon of={icon} size={20} label={platform === '' ? undefined : platform} />
          <AliasField />
          <DeviceState />
        </div>
        <div className={css.facts}>
          <Customer />
          {can('device.tags.read') && <DeviceTags />}
          <SignedInUsers />
        </div>
        <div className={css.actions}>
          {can('device.terminal.use') && (
            <LinkButton to="/devices/$deviceId/terminal" params={{ deviceId: device.id }} className={css.wide}>
              {t('terminal')}
            </LinkButton>
          )}
          {SCREEN_PERMISSIONS.some(can) && (
            <LinkButton to="/devices/$deviceId/screen" params={{ deviceId: device.id }} className={css.wide}>
              {t('screen')}
            </LinkButton>
          )}
          <DeviceActions />
        </div>
      </div>
    </div>
  );
}

function Breadcrumb(): ReactNode {
  const { device, name } = useCurrentDevice();
  const list = useLastList();
  const match = useMatchRoute();
  const tab = DEVICE_TABS.find(({ to }) => match({ to, params: { deviceId: device.id } }) !== false);
  return (
    <nav className={css.breadcrumb} aria-label={t('breadcrumb')}>
      <Link to="/devices" search={list?.search} className={css.crumb}>
        {t('devices')}
      </Link>
      <Icon of={ChevronRight} size={12} />
      {tab === undefined || tab.id === 'overview' ? (
        <span className="cut">{name}</span>
      ) : (
        <>
          <Link to="/devices/$deviceId" params={{ deviceId: device.id }} className={css.crumb}>
            <span className="cut">{name}</span>
          </Link>
          <Icon of={ChevronRight} size={12} />
          <span>{t(tab.id)}</span>
        </>
      )}
    </nav>
  );
}

function DeviceState(): ReactNode {
  const { device } = useCurrentDevice();
  const now = useNow();
  const outage = useOutage();
  const since = formatRelative(device.lastSeen, now);
  // Nothing tells of the device now: what was true last is said with its time.
  if (outage !== null)
    return (
      <span className={css.state}>
        <span className={css.unknown}>
          <Icon of={CircleDashed} size={12} />
          {t('state-unknown')}
        </span>
        <span className="meta">{t(device.isOnline ? 'was-online' : 'was-offline', { time: formatTime(new Date(outage)) })}</span>
      </span>
    );
  return (
    <span className={css.state} title={formatInstant(device.lastSeen)}>
      <Status look={device.isOnline ? 'online' : 'offline'} />
      <span className="meta">{device.isOnline ? t('reported', { since }) : t('seen', { since })}</span>
    </span>
  );
}

function Customer(): ReactNode {
  const { device } = useCurrentDevice();
  const mayRead = useCan('tenant.customers.read');
  if (device.customerId === null || device.customerName === null) return null;
  const text = (
    <>
      <Icon of={Building2} />
      <span className="cut">{device.customerName}</span>
    </>
  );
  if (!mayRead) return <span className={css.fact}>{text}</span>;
  return (
    <Link to="/devices" search={{ customer: device.customerId }} className={css.factLink}>
      {text}
    </Link>
  );
}

function SignedInUsers(): ReactNode {
  const { currentUsers, isOnline, lastSeen } = useCurrentDevice().device;
  const isOld = useOutage() !== null || !isOnline;
  if (currentUsers.length === 0) return null;
  const [first, ...others] = currentUsers;
  return (
    <span
      className={classes(css.fact, isOld && css.old)}
      title={[...(isOld ? [t('figures-at', { time: formatInstant(lastSeen) })] : []), ...currentUsers].join('\n')}
    >
      <Icon of={User} />
      <span className="cut">
        <span className="visually-hidden">{t('signed-in')} </span>
        {others.length === 0 ? first : t('user-and-more', { name: first, count: others.length })}
      </span>
    </span>
  );
}
