import { formatNumber } from '../../i18n/format.js';
import type { Preset } from '../../api/access/permission-assignments.js';
import { Badge } from '../../ui/badge/Badge.js';
import type { Column } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { phraseOf } from '../../parts/users/permission-phrase.js';
import type { Standing } from '../../api/people/user-standing.js';
import { nameOf, type User } from '../../api/people/users.js';
import { t as standingText } from './standing-texts.js';
import { factorsInWords, StateOf } from './StateOf.js';
import { t } from '../../parts/users/texts.js';

/** Data that the columns need besides the users. */
interface Around {
  /** The id of the user who looks at the list. */
  readonly self: string;
  /** The standing of each user, by id; undefined while it loads. */
  readonly standings: ReadonlyMap<string, Standing> | undefined;
  /** The names of each user's groups; null leaves the column out. */
  readonly groups: ReadonlyMap<string, readonly string[]> | null;
  readonly presets: readonly Preset[];
}

export function columnsFor({ self, standings, groups, presets }: Around): Column<User>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <span className="row">
          <span className="cut">{nameOf(user)}</span>
          {user.id === self && <Badge>{t('you')}</Badge>}
        </span>
      ),
      sortBy: nameOf,
    },
    { id: 'email', header: t('email'), cell: (user) => addressBesideName(user, standings?.get(user.id)), sortBy: ({ email }) => email },
    ...standingColumns(standings),
    ...(groups === null ? [] : [groupsColumn(groups)]),
    {
      id: 'permissions',
      header: t('permissions'),
      cell: ({ permissions }) => <span className="cut">{inWords(permissions, presets)}</span>,
      phone: 'hidden',
    },
  ];
}

const standingColumns = (standings: ReadonlyMap<string, Standing> | undefined): Column<User>[] => [
  {
    id: 'state',
    header: standingText('state'),
    cell({ id }) {
      const standing = standings?.get(id);
      return standing === undefined ? '' : <StateOf standing={standing} />;
    },
    sortBy: ({ id }) => standings?.get(id)?.state,
    phone: 'detail',
  },
  {
    id: 'last-sign-in',
    header: standingText('last-sign-in'),
    cell({ id }) {
      const standing = standings?.get(id);
      if (standing === undefined) return '';
      return standing.lastSignIn === null ? (
        <span className="muted">{standingText('never')}</span>
      ) : (
        <RelativeTime at={standing.lastSignIn} />
      );
    },
    sortBy: ({ id }) => standings?.get(id)?.lastSignIn,
    phone: 'side',
  },
  {
    id: 'factor',
    header: standingText('factor'),
    cell({ id }) {
      const standing = standings?.get(id);
      return standing === undefined ? '' : factorsInWords(standing);
    },
    phone: 'hidden',
  },
];

/** The address, unless it is the name already, or one that no mail reaches: those of visitors are made up. */
const addressBesideName = (user: User, standing: Standing | undefined): string =>
  user.email === null || user.email === nameOf(user) || standing?.state === 'Visitor' ? '' : user.email;

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
