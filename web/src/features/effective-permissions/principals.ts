import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { principalsQuery } from '../../api/access/held-permissions.js';
import type { Principal, PrincipalKind } from '../../api/access/permission-assignments.js';
import { useSession } from '../../access/session.js';
import type { ComboboxItem } from '../../ui/combobox/Combobox.js';
import { t } from './texts.js';

const item = (kind: PrincipalKind, id: string, label: string): ComboboxItem => ({
  value: `${kind}:${id}`,
  label,
  detail: t(`kind-${kind}`),
});

interface Principals {
  /** Principals that the typed text finds, as far as the caller may read their names. */
  readonly items: readonly ComboboxItem[];
  readonly chosen: ComboboxItem;
  readonly onSearch: (text: string) => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
}

/** Principals that the caller can ask about. The service answers no questions about accounts of the server. */
export function usePrincipals({ kind, id }: Principal): Principals {
  const { user } = useSession();
  const [text, setText] = useState('');
  const [first, found] = [useQuery(principalsQuery('', id)), useQuery(principalsQuery(text, id))];
  const named = first.data?.find(({ principalId }) => principalId === id);
  const isOwn = kind === 'User' && id === user.id;
  // The field compares its choices by identity: new ones in every render would never rest.
  const chosen = useMemo(
    () => item(kind, id, named?.name ?? (isOwn ? t('you') : first.isPending ? '' : id)),
    [kind, id, named?.name, isOwn, first.isPending],
  );
  const items = useMemo(() => {
    const all = (found.data ?? []).map(({ principalKind, principalId, name }) => item(principalKind, principalId, name));
    return text !== '' || all.some(({ value }) => value === chosen.value) ? all : [chosen, ...all];
  }, [found.data, text, chosen]);
  return {
    items,
    chosen,
    onSearch: setText,
    isBusy: found.isFetching,
    error: found.error,
  };
}
