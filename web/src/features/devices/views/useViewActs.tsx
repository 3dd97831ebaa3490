import { useQuery } from '@tanstack/react-query';
import { Pencil, Save, Star, Trash2 } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { newId } from '../../../state/new-id.js';
import type { MenuEntry } from '../../../ui/menu/entries.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import type { DeviceSearch, DeviceSearchChange } from '../../../model/devices/device-search.js';
import { keepView, removeView, viewsQuery } from './queries.js';
import { t } from './texts.js';
import { isSame, type View } from './view.js';
import { NameDialog } from './ViewDialogs.js';

interface ViewActs {
  readonly entries: readonly MenuEntry[];
  /** The dialog of the acts that ask for a name. */
  readonly dialog: ReactNode;
}

/** Actions that save the current search as a view, and change the view that the list was opened as. */
export function useViewActs(search: DeviceSearch, onChange: (change: DeviceSearchChange, replace?: boolean) => void): ViewActs {
  const { data: views } = useQuery(viewsQuery);
  const [named, setNamed] = useState<{ readonly view: View; readonly isNew: boolean } | null>(null);
  // The search of the list when an answer comes; null once the user has gone to another page.
  const shown = useRef<DeviceSearch | null>(null);
  useEffect(() => {
    shown.current = search;
    return () => {
      shown.current = null;
    };
  }, [search]);
  const current = views?.find(({ id }) => id === search.view);

  const update = async (view: View): Promise<void> => {
    await keepView({ ...view, search });
    toast(t('updated', { name: view.name }), { undo: () => void keepView(view).catch(toastProblem) });
  };
  const remove = async (view: View): Promise<void> => {
    const place = await removeView(view);
    if (shown.current?.view === view.id) onChange((now) => ({ ...now, view: undefined }), true);
    toast(t('deleted', { name: view.name }), { undo: () => void keepView(view, place).catch(toastProblem) });
  };
  return {
    entries: [
      {
        label: t('save-as'),
        icon: Star,
        disabled: views === undefined,
        onSelect: () => setNamed({ view: { id: newId(), name: '', search }, isNew: true }),
      },
      ...(current === undefined
        ? []
        : [
            {
              label: t('update', { name: current.name }),
              icon: Save,
              disabled: isSame(current.search, search),
              onSelect: () => void update(current).catch(toastProblem),
            },
            { label: t('rename-view', { name: current.name }), icon: Pencil, onSelect: () => setNamed({ view: current, isNew: false }) },
            { label: t('delete-view', { name: current.name }), icon: Trash2, onSelect: () => void remove(current).catch(toastProblem) },
          ]),
    ],
    dialog: named !== null && (
      <NameDialog
        open
        {...named}
        onClose={() => setNamed(null)}
        onKept={({ id }) => {
          if (named.isNew && shown.current !== null) onChange((now) => ({ ...now, view: id }), true);
        }}
      />
    ),
  };
}
