import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';

import { Button, IconButton } from '../../../ui/button/Button.js';
import { Selection } from '../../../ui/grid/selection.js';
import { isPhone, useMedia } from '../../../ui/media.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { useOffer } from '../../../parts/palette/offers.js';
import type { Device, DeviceSearch } from '../../../model/devices/device-search.js';
import type { Kind, Target } from './act.js';
import type { Wish } from './ActRun.js';
import css from './BulkBar.module.css';
import { ICONS } from './icons.js';
import { permissionsOnAnyQuery } from '../../../api/devices/permissions-on-any.js';
import { newId } from '../../../state/new-id.js';
import { useOffered } from './offered.js';
import { type AllFound, targetsOf } from './targets.js';
import { t } from './texts.js';

interface BulkBarProps {
  readonly selection: Selection;
  /** Devices in sight. */
  readonly inSight: readonly Device[];
  /** Search of the list, and the number of devices that match. */
  readonly search: DeviceSearch;
  readonly count: number;
  readonly onSelect: (selection: Selection) => void;
  readonly onWish: (wish: Wish) => void;
}

/** Acts with a button of their own; the others are in the menu. */
const FRONT: readonly Kind[] = ['restart', 'update', 'tag', 'customer', 'delete'];
const BEHIND: readonly Kind[] = ['refresh', 'wake', 'shutdown', 'group', 'uninstall'];

/** Actions on the chosen devices. It lies over the foot of the list, so that the rows keep their places. */
export function BulkBar({ selection, inSight, search, count, onSelect, onWish }: BulkBarProps): ReactNode {
  const targets = useTargets(selection, search);
  const known = selection.isAll ? inSight.map(({ id }) => id) : selection.ids;
  // The buttons keep their places while the number of chosen devices changes.
  const { data: permissions } = useQuery({
    ...permissionsOnAnyQuery(known),
    enabled: known.length > 0,
    placeholderData: keepPreviousData,
  });
  const isOffered = useOffered(permissions);
  const isSmall = useMedia(isPhone);
  const wish = (kind: Kind) => () => onWish({ id: newId(), kind, targets: targets() });
  const mayChooseMore = selection.size < count;
  const all = t('select-all', { count });
  const selectAll = (): void => onSelect(Selection.all(count));
  // A phone has room for one line: everything is in the menu.
  const front = isSmall ? [] : FRONT.filter(isOffered);
  const behind = isSmall ? [...FRONT, ...BEHIND] : BEHIND;
  useOffer({
    heading: t('selected', { count: selection.size }),
    acts: [...FRONT, ...BEHIND].filter(isOffered).map((kind) => ({ label: t(kind), icon: ICONS[kind], onSelect: wish(kind) })),
  });
  return (
    <div className={css.bar} role="toolbar" aria-label={t('bar')}>
      <IconButton icon={X} label={t('clear')} onClick={() => onSelect(Selection.none)} />
      <b className={css.count} aria-live="polite">
        {t('selected', { count: selection.size })}
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
          ...(isSmall && mayChooseMore ? [{ label: all, onSelect: selectAll }, null] : []),
          ...behind.filter(isOffered).map((kind) => ({
            label: t(kind),
            icon: ICONS[kind],
            danger: kind === 'uninstall' || kind === 'delete',
            onSelect: wish(kind),
          })),
        ]}
      />
      {!isSmall && mayChooseMore && (
        <Button look="quiet" className={css.all} onClick={selectAll}>
          {all}
        </Button>
      )}
    </div>
  );
}

/** The chosen devices, when they are asked for. Rows that scrolled away long ago are remembered. */
function useTargets(selection: Selection, search: DeviceSearch): () => readonly Target[] | AllFound {
  const known = useRef(new Map<string, Target>());
  useEffect(() => {
    if (selection.isAll) return;
    const lacking = selection.ids.filter((id) => !known.current.has(id));
    for (const target of targetsOf(lacking)) known.current.set(target.id, target);
  }, [selection]);
  return () => {
    if (selection.isAll) return { search, except: new Set(selection.ids), count: selection.size };
    // Their states are those of now.
    const states = new Map(targetsOf(selection.ids).map((target) => [target.id, target]));
    return selection.ids.flatMap((id) => {
      const [now, before] = [states.get(id), known.current.get(id)];
      return (now === undefined || now.name === id ? before : now) ?? [];
    });
  };
}
