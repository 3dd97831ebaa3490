import { formatNumber } from '../../i18n/format.js';
import type { Preset } from '../../api/access/permission-assignments.js';
import { Badge } from '../../ui/badge/Badge.js';
import type { Column } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { phraseOf } from '../../parts/users/permission-phrase.js';
import { nameOf, type User } from '../../api/people/users.js';
import { t } from '../../parts/users/texts.js';

/** Data that the columns need besides the users. */
interface Around {
  /** The id of the user who looks at the list. */
  readonly self: string;
  /** True if a user has not accepted the invitation yet. */
  readonly isInvited: (user: User) => boolean;
  /** The names of each user's groups; null leaves the column out. */
  readonly groups: ReadonlyMap<string, readonly string[]> | null;
  readonly presets: readonly Preset[];
}

export function columnsFor({ self, isInvited, groups, presets }: Around): Column<User>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <span className="row">
          <span className="cut">{nameOf(user)}</span>
          {user.id === self && <Badge>{t('you')}</Badge>}
          {isInvited(user) && <Badge>{t('invited')}</Badge>}
        </span>
      ),
      sortBy: nameOf,
    },
    { id: 'email', header: t('email'), cell: emailBesideName, sortBy: ({ email }) => email },
    ...(groups === null ? [] : [groupsColumn(groups)]),
    {
      id: 'permissions',
      header: t('permissions'),
      cell: ({ permissions }) => <span className="cut">{inWords(permissions, presets)}</span>,
      phone: 'hidden',
    },
    {
      id: 'created',
      header: t('created'),
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      sortBy: ({ createdAt }) => createdAt,
      phone: 'side',
    },
  ];
}

/** The address, unless it is the name already. */
const emailBesideName = (user: User): string => (user.email === null || user.email === nameOf(user) ? '' : user.email);

const groupsColumn = (groups: ReadonlyMap<string, readonly string[]>): Column<User> => ({
  id: 'groups',
  header: t('tab-groups'),
  cell: ({ id }) => (groups.get(id) ?? []).join(', '),
  sortBy: ({ id }) => groups.get(id)?.[0],
  phone: 'hidden',
});

/** Permissions of a user by assignments of their own: "Tenant Administrator + 3". */
function inWords(permissions: readonly string[], presets: readonly Preset[]): string {
  const { preset, more } = phraseOf(permissions, presets);
  if (preset === null) return more === 0 ? '' : t('permission-count', { count: more });
  return more === 0 ? preset : t('preset-and-more', { preset, more: formatNumber(more) });
}
