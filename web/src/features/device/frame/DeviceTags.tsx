import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide';
import { type ReactNode, useMemo } from 'react';

import { tagDevice, untagDevice } from '../../../api/devices/tags.js';
import { deviceQuery } from '../../../api/devices/devices.js';
import { listQuery } from '../../../api/lists.js';
import { queryClient } from '../../../api/queries.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { Tag } from '../../../ui/tag/Tag.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import css from './IdentityBar.module.css';

interface TagChange {
  readonly tagId: string;
  readonly isAdded: boolean;
}

/** The names of all tags by id; undefined until they are there. */
function useTagNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery(listQuery('tags'));
  return useMemo(() => data && new Map(data.map(({ id, name }) => [id, name])), [data]);
}

/** Adds a tag or takes it away: shown at once, with a way back. */
function useTagChange(): (change: TagChange) => void {
  const { device } = useCurrentDevice();
  const { queryKey } = deviceQuery(device.id);
  const names = useTagNames();
  const show = ({ tagId, isAdded }: TagChange): void => {
    queryClient.setQueryData(queryKey, (known) => {
      if (known === undefined) return known;
      const others = (known.tagIds ?? []).filter((id) => id !== tagId);
      return { ...known, tagIds: isAdded ? [...others, tagId] : others };
    });
  };
  const change = useMutation({
    async mutationFn({ tagId, isAdded }: TagChange): Promise<void> {
      await (isAdded ? tagDevice : untagDevice)(device.id, tagId);
    },
    onMutate: show,
    onError(error, { tagId, isAdded }) {
      show({ tagId, isAdded: !isAdded });
      toastProblem(error);
    },
  });
  return (wanted) => {
    const name = names?.get(wanted.tagId) ?? '';
    // Each change has its way back: `mutate` would call back for the last one only.
    void change.mutateAsync(wanted).then(
      () =>
        toast(t(wanted.isAdded ? 'tag-added' : 'tag-removed', { name }), {
          undo: () => change.mutate({ ...wanted, isAdded: !wanted.isAdded }),
        }),
      () => undefined,
    );
  };
}

/** The tags of the device, each with a way to take it off, and a menu of the others. */
export function DeviceTags(): ReactNode {
  const { device, can } = useCurrentDevice();
  const names = useTagNames();
  const change = useTagChange();
  const mayChange = can('device.tags.write');
  const ids = device.tagIds ?? [];
  if (names === undefined) return null;
  const others = [...names].filter(([id]) => !ids.includes(id)).sort(([, a], [, b]) => a.localeCompare(b));
  return (
    <span className={css.tags}>
      {ids.map((tagId) => {
        const name = names.get(tagId);
        if (name === undefined) return null;
        return <Tag key={tagId} name={name} onRemove={mayChange ? () => change({ tagId, isAdded: false }) : undefined} />;
      })}
      {mayChange && others.length > 0 && (
        <MenuButton
          label={t('add-tag')}
          hideLabel
          icon={Plus}
          look="quiet"
          align="start"
          className={css.add}
          entries={others.map(([tagId, label]) => ({ label, onSelect: () => change({ tagId, isAdded: true }) }))}
        />
      )}
    </span>
  );
}
