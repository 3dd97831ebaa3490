import { useMutation } from '@tanstack/react-query';
import { Pencil } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { api, bodyOf } from '../../../api/client.js';
import { deviceQuery } from '../../../api/devices.js';
import { queryClient } from '../../../api/queries.js';
import { IconButton } from '../../../ui/button/Button.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { nameOf } from '../../../model/devices/device.js';
import { t } from '../texts.js';
import css from './IdentityBar.module.css';

/** What the contract allows. */
const MAXIMUM_LENGTH = 100;

/** Gives the device another alias: shown at once, and taken back if the service refuses. An empty one removes it. */
function useRename(): (typed: string) => void {
  const { device } = useCurrentDevice();
  const { queryKey } = deviceQuery(device.id);
  const rename = useMutation({
    mutationFn: (alias: string) =>
      bodyOf(
        api.PATCH('/api/v1/devices/{deviceId}/alias', { params: { path: { deviceId: device.id } }, body: { deviceId: device.id, alias } }),
      ),
    onMutate(alias) {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (known) => known && { ...known, alias: alias === '' ? null : alias });
      return { before };
    },
    onSuccess(answer) {
      queryClient.setQueryData(queryKey, (known) => known && { ...known, alias: answer.alias });
      void queryClient.invalidateQueries({ queryKey: ['devices'], predicate: (query) => query.queryKey[1] !== device.id });
    },
    onError(error, _alias, context) {
      if (context?.before !== undefined) queryClient.setQueryData(queryKey, context.before);
      toastProblem(error);
    },
  });
  return (typed: string): void => {
    const former = device.alias ?? '';
    // The device's own name is no alias.
    const alias = typed.trim() === device.name ? '' : typed.trim();
    if (alias === former) return;
    rename.mutate(alias, {
      onSuccess: (answer) => toast(t('renamed', { name: nameOf(answer) }), { undo: () => rename.mutate(former) }),
    });
  };
}

/** The name of the device as the heading of its page, which can be changed where it stands. */
export function AliasField(): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const [isEditing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const rename = useRename();
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  if (isEditing) {
    return (
      <form
        className={css.aliasForm}
        onSubmit={(event) => {
          event.preventDefault();
          setEditing(false);
          rename(input.current?.value ?? '');
        }}
      >
        <h1 className="visually-hidden">{name}</h1>
        <input
          ref={input}
          className={css.aliasInput}
          name="alias"
          aria-label={t('alias')}
          defaultValue={device.alias ?? device.name}
          maxLength={MAXIMUM_LENGTH}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onBlur={(event) => event.currentTarget.form?.requestSubmit()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.currentTarget.value = device.alias ?? '';
              setEditing(false);
            }
          }}
        />
      </form>
    );
  }
  return (
    <div className={css.name}>
      <h1 className={css.title} tabIndex={-1} title={name === device.name ? name : t('name-and-alias', { alias: name, name: device.name })}>
        {name}
      </h1>
      {can('device.alias.write') && (
        <IconButton ref={pencil} icon={Pencil} label={t('edit-alias')} className={css.pencil} onClick={() => setEditing(true)} />
      )}
    </div>
  );
}
