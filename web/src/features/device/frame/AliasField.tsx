import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide';
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';

import { deviceQuery } from '../../../api/devices/devices.js';
import { queryClient } from '../../../api/queries.js';
import type { Versioned } from '../../../state/versioned.js';
import { IconButton } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { type Changed, saveOver } from '../../../ui/edit/save-over.js';
import { saving, savesEnded } from '../../../ui/edit/saves-under-way.js';
import type { FormValues } from '../../../ui/form/Form.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { nameOf } from '../../../model/devices/device.js';
import { t } from '../texts.js';
import { aliasOf, type DeviceField } from '../versions.js';
import css from './IdentityBar.module.css';

const ChangedNotice = lazy(async () => ({ default: (await import('../../../ui/edit/ChangedNotice.js')).ChangedNotice }));

/** Limit of the contract. */
const MAXIMUM_LENGTH = 100;

/** A new alias for the device. */
interface Rename {
  /** The alias that the user knew when the change began. It depends on the change before, if that was under way. */
  readonly former: string | Promise<string>;
  readonly typed: string;
  /** State that was read then. */
  readonly known: Versioned<FormValues<DeviceField>> | Promise<Versioned<FormValues<DeviceField>>>;
}

interface Renaming {
  readonly rename: (what: Rename) => void;
  readonly isBusy: boolean;
  /** The alias that the change under way leads to: its own, or the former one if it is refused. Null if there is no such change. */
  readonly next: Promise<string> | null;
  /** Another editor has given the device another alias. */
  readonly changed: Changed<DeviceField> | null;
  readonly leave: () => void;
}

/** Gives the device another alias: shown at once, and taken back if the service refuses. An empty one removes it. */
function useRename(): Renaming {
  const { device } = useCurrentDevice();
  const [changed, setChanged] = useState<Changed<DeviceField> | null>(null);
  const { queryKey } = deviceQuery(device.id);
  const show = (alias: string): void =>
    void queryClient.setQueryData(queryKey, (known) => known && { ...known, alias: alias === '' ? null : alias });
  const mutationKey = ['rename-device', device.id];
  /** Shows the alias at the end of a change, unless another change is shown already. */
  const showEnd = (alias: string): void => {
    if (queryClient.isMutating({ mutationKey }) === 1) show(alias);
  };
  const [next, setNext] = useState<Promise<string> | null>(null);
  const save = useMutation({
    mutationKey,
    mutationFn: ({ former, typed, known }: Rename) =>
      saving(async () => saveOver(aliasOf(device.id), { alias: await former }, { alias: typed }, await known)),
    onMutate: ({ typed }) => show(typed),
    onSuccess(outcome, { former }) {
      if (outcome.kind === 'gone') return queryClient.invalidateQueries({ queryKey });
      const alias = outcome.now.value.alias ?? '';
      showEnd(alias);
      setChanged(outcome.kind === 'changed' ? outcome : null);
      if (outcome.kind === 'changed') return undefined;
      toast(t('renamed', { name: nameOf({ alias, name: device.name }) }), {
        undo: () => void Promise.resolve(former).then((typed) => rename({ former: alias, typed, known: outcome.now })),
      });
      return queryClient.invalidateQueries({ queryKey: ['devices'], predicate: (query) => query.queryKey[1] !== device.id });
    },
    async onError(error, { former }) {
      toastProblem(error);
      showEnd(await former);
    },
  });
  const rename = (what: Rename): void =>
    setNext(
      save.mutateAsync(what).then(
        () => what.typed,
        () => what.former,
      ),
    );
  return { rename, next: save.isPending ? next : null, isBusy: save.isPending, changed, leave: () => setChanged(null) };
}

/** The name of the device as the heading of its page, which can be changed where it stands. */
export function AliasField(): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const [isEditing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { rename, isBusy, next, changed, leave } = useRename();
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  if (isEditing) return <AliasForm next={next} onRename={rename} onLeave={() => setEditing(false)} />;
  return (
    <div className={css.name}>
      <h1 className={css.title} tabIndex={-1} title={name === device.name ? name : t('name-and-alias', { alias: name, name: device.name })}>
        {name}
      </h1>
      {can('device.alias.write') && (
        <IconButton ref={pencil} icon={Pencil} label={t('edit-alias')} className={css.pencil} onClick={() => setEditing(true)} />
      )}
      <Dialog open={changed !== null} onClose={leave} title={t('edit-alias')}>
        {changed !== null && (
          <Suspense>
            <ChangedNotice
              name={name}
              changed={changed}
              labelOf={() => t('alias')}
              busy={isBusy}
              onLoad={leave}
              onSave={() => rename({ former: changed.now.value.alias ?? '', typed: changed.merged.alias ?? '', known: changed.now })}
            />
          </Suspense>
        )}
      </Dialog>
    </div>
  );
}

interface AliasFormProps extends Pick<Renaming, 'next'> {
  readonly onRename: (what: Rename) => void;
  readonly onLeave: () => void;
}

function AliasForm({ next, onRename, onLeave }: AliasFormProps): ReactNode {
  const { device, name } = useCurrentDevice();
  const input = useRef<HTMLInputElement>(null);
  const [shown] = useState(device.alias ?? '');
  const [former] = useState(next ?? shown);
  const [isSaved] = useState(savesEnded);
  // Each change reads for itself.
  const reading = queryOptions({
    queryKey: ['edited', useId()],
    queryFn: () => isSaved.then(aliasOf(device.id).read),
    staleTime: Infinity,
    gcTime: 0,
  });
  useQuery(reading);
  const send = (entered: string): void => {
    // The device's own name is no alias.
    const typed = entered.trim() === device.name ? '' : entered.trim();
    if (typed !== shown) onRename({ former, typed, known: queryClient.fetchQuery(reading) });
  };
  return (
    <form
      className={css.aliasForm}
      onSubmit={(event) => {
        event.preventDefault();
        onLeave();
        send(input.current?.value ?? '');
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
            event.currentTarget.value = shown;
            onLeave();
          }
        }}
      />
    </form>
  );
}
