import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';

import { formatNumber } from '../../../i18n/format.js';
import { Button, IconButton } from '../../../ui/button/Button.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useOffer } from '../../../parts/palette/offers.js';
import type { DeviceSearch } from '../../../model/devices/device-search.js';
import type { Kind, Target } from './act.js';
import type { Wish } from './ActRun.js';
import css from './BulkBar.module.css';
import { ICONS } from './icons.js';
import { permissionsOnAnyQuery } from '../../../api/devices/permissions-on-any.js';
import { useOffered } from './offered.js';
import { matchingIds, MOST_CHOSEN, targetsOf } from './targets.js';
import { t } from './texts.js';

interface BulkBarProps {
  readonly ids: readonly string[];
  /** Search of the list, and the number of devices that match. */
  readonly search: DeviceSearch;
  readonly count: number;
  readonly onSelect: (ids: readonly string[]) => void;
  readonly onWish: (wish: Wish) => void;
}

/** Acts with a button of their own; the others are in the menu. */
const FRONT: readonly Kind[] = ['restart', 'update', 'tag', 'customer', 'delete'];
const BEHIND: readonly Kind[] = ['refresh', 'wake', 'shutdown', 'group', 'uninstall'];

/** Actions on the chosen devices. */
export function BulkBar({ ids, search, count, onSelect, onWish }: BulkBarProps): ReactNode {
  const targets = useTargets(ids);
  // The buttons keep their places while the number of chosen devices changes.
  const { data: permissions } = useQuery({ ...permissionsOnAnyQuery(ids), placeholderData: keepPreviousData });
  const isOffered = useOffered(permissions);
  const selectAll = useMutation({ mutationFn: () => matchingIds(search), onSuccess: onSelect, onError: (error) => toastProblem(error) });
  const isSmall = useMedia(isPhone);
  const wish = (kind: Kind) => () => onWish({ kind, targets: targets() });
  const mayChooseMore = ids.length < count && ids.length < MOST_CHOSEN;
  const all = count > MOST_CHOSEN ? t('select-first', { shown: formatNumber(MOST_CHOSEN) }) : t('select-all', { count });
  // A phone has room for one line: everything is in the menu.
  const front = isSmall ? [] : FRONT.filter(isOffered);
  const behind = isSmall ? [...FRONT, ...BEHIND] : BEHIND;
  useOffer({
    heading: t('selected', { count: ids.length }),
    acts: [...FRONT, ...BEHIND].filter(isOffered).map((kind) => ({ label: t(kind), icon: ICONS[kind], onSelect: wish(kind) })),
  });
  return (
    <div className={css.bar} role="toolbar" aria-label={t('bar')}>
      <IconButton icon={X} label={t('clear')} onClick={() => onSelect([])} />
      <b className={css.count} aria-live="polite">
        {t('selected', { count: ids.length })}
      </b>
      {front.map((kind) => (
        <Button key={kind} look="quiet" icon={ICONS[kind]} onClick={wish(kind)}>
          {t(kind)}
        </Button>
      ))}
      <MenuButton
        label={t('more')}
        hideLabel
        look="quiet"
        entries={[
          ...(isSmall && mayChooseMore ? [{ label: all, onSelect: () => selectAll.mutate() }, null] : []),
          ...behind.filter(isOffered).map((kind) => ({
            label: t(kind),
            icon: ICONS[kind],
            danger: kind === 'uninstall' || kind === 'delete',
            onSelect: wish(kind),
          })),
        ]}
      />
      {!isSmall && mayChooseMore && (
        <Button look="quiet" className={css.all} busy={selectAll.isPending} onClick={() => selectAll.mutate()}>
          {all}
        </Button>
      )}
    </div>
  );
}

/** The chosen devices, when they are asked for. Rows that scrolled away long ago are remembered. */
function useTargets(ids: readonly string[]): () => readonly Target[] {
  const known = useRef(new Map<string, Target>());
  useEffect(() => {
    const lacking = ids.filter((id) => !known.current.has(id));
    for (const target of targetsOf(lacking)) known.current.set(target.id, target);
  }, [ids]);
  return () => ids.flatMap((id) => known.current.get(id) ?? []);
}
