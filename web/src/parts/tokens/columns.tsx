import type { ReactNode } from 'react';

import { Badge } from '../../ui/badge/Badge.js';
import type { Column } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { t } from './texts.js';
import { type Token, tokenState } from './token.js';

/** The columns of a list of tokens. `inherits` says of a token that it may do all that its owner may. */
export const tokenColumns = (inherits: string): readonly Column<Token>[] => [
  { id: 'name', header: t('name'), cell: ({ name }) => name, sortBy: ({ name }) => name.toLowerCase() },
  {
    id: 'mode',
    header: t('may'),
    cell: ({ permissionMode, permissionCount }) =>
      permissionMode === 'InheritOwner' ? inherits : t('permissions', { count: permissionCount }),
    phone: 'detail',
  },
  { id: 'expires', header: t('expires'), cell: expiry, sortBy: ({ expiresAt }) => expiresAt ?? '9', phone: 'side' },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsed }) => instant(lastUsed),
    sortBy: ({ lastUsed }) => lastUsed ?? '',
    phone: 'hidden',
  },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => instant(createdAt),
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
];

function expiry(token: Token): ReactNode {
  const state = tokenState(token, Date.now());
  return state === 'valid' ? instant(token.expiresAt) : <Badge>{t(state)}</Badge>;
}

const instant = (at: string | null): ReactNode => (at === null ? t('never') : <RelativeTime at={at} />);
