import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { type DeviceInventory, deviceInventoryQuery, refreshInventory } from '../../../api/devices/device-inventory.js';
import { formatInstant, formatRelative } from '../../../i18n/format.js';
import { Badge } from '../../../ui/badge/Badge.js';
import { Button } from '../../../ui/button/Button.js';
import { Property, PropertyList } from '../../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../../ui/relative-time/RelativeTime.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Inventory.module.css';
import { slotTextOf } from './slots.js';
import { t } from './texts.js';

const ProgramDrawer = lazy(async () => ({ default: (await import('./ProgramDrawer.js')).ProgramDrawer }));

/** The inventory that the agent has reported: hardware, software and updates. */
export function Inventory(): ReactNode {
  const { device } = useCurrentDevice();
  const inventory = useQuery(deviceInventoryQuery(device.id));
  return (
    <section className={css.part} aria-label={t('hardware')}>
      <div className={css.head}>
        <h2>{t('hardware')}</h2>
        {device.isOnline && inventory.data !== undefined && inventory.data !== null && <Refresh />}
      </div>
      {inventory.data === undefined ? (
        inventory.error === null ? (
          <SkeletonList rows={4} columns={[1, 2]} />
        ) : (
          <ErrorState error={inventory.error} onRetry={() => void inventory.refetch()} />
        )
      ) : inventory.data === null ? (
        <>
          <p>{t('not-reported')}</p>
          <p className="muted">{t('not-reported-hint')}</p>
        </>
      ) : (
        <Reported inventory={inventory.data} />
      )}
    </section>
  );
}

function Refresh(): ReactNode {
  const { device } = useCurrentDevice();
  const refresh = useMutation({ mutationFn: () => refreshInventory(device.id), onError: (error) => toastProblem(error) });
  return (
    <Button look="quiet" icon={RotateCw} busy={refresh.isPending} onClick={() => refresh.mutate()}>
      {t('refresh')}
    </Button>
  );
}

function Reported({ inventory }: { readonly inventory: DeviceInventory }): ReactNode {
  const now = useNow();
  const { manufacturer, model, serialNumber, firmware, processor, processorCores, bootedAt, memorySlots, reportedAt } = inventory;
  const cores = processorCores > 0 ? t('cores', { count: processorCores }) : '';
  return (
    <>
      <p className="muted" title={formatInstant(reportedAt)}>
        {t('reported', { since: formatRelative(reportedAt, now) })}
      </p>
      <PropertyList>
        <Property term={t('manufacturer')}>{manufacturer}</Property>
        <Property term={t('model')} copy={model}>
          {model}
        </Property>
        <Property term={t('serial-number')} copy={serialNumber} mono>
          {serialNumber}
        </Property>
        <Property term={t('processor')}>{[processor, cores].filter(Boolean).join(', ')}</Property>
        <Property term={t('memory-slots')}>
          {memorySlots.length > 0 && (
            <ul>
              {memorySlots.map((slot, at) => (
                // Boards may give two slots one name.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={at}>{slotTextOf(slot)}</li>
              ))}
            </ul>
          )}
        </Property>
        <Property term={t('firmware')}>{firmware}</Property>
        <Property term={t('started')}>{bootedAt !== null && <RelativeTime at={bootedAt} />}</Property>
      </PropertyList>
      <Programs inventory={inventory} />
    </>
  );
}

function Programs({ inventory: { software, softwareCount, updates } }: { readonly inventory: DeviceInventory }): ReactNode {
  const { name } = useCurrentDevice();
  const [shown, setShown] = useState<'software' | 'updates' | null>(null);
  const security = updates?.filter(({ isSecurity }) => isSecurity).length ?? 0;
  return (
    <div className={css.programs}>
      <h3>{t('software')}</h3>
      {software === null ? (
        <p className="muted">{t('no-software')}</p>
      ) : (
        <p className={css.line}>
          <span>{t('programs', { count: softwareCount })}</span>
          <Button look="quiet" onClick={() => setShown('software')}>
            {t('show-software')}
          </Button>
        </p>
      )}
      {updates === null ? (
        <p className="muted">{t('no-updates')}</p>
      ) : updates.length === 0 ? (
        <p className="muted">{t('up-to-date')}</p>
      ) : (
        <p className={css.line}>
          <span>{t('updates', { count: updates.length })}</span>
          {security > 0 && <Badge look="warn">{t('security-updates', { count: security })}</Badge>}
          <Button look="quiet" onClick={() => setShown('updates')}>
            {t('show-updates')}
          </Button>
        </p>
      )}
      <Suspense>
        {shown !== null && (
          <ProgramDrawer
            title={shown === 'software' ? t('software-title', { name }) : t('updates-title', { name })}
            programs={(shown === 'software' ? software : updates) ?? []}
            unlisted={shown === 'software' ? softwareCount - (software?.length ?? 0) : 0}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
