import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Building2, CircleHelp, Folder, History, Keyboard, type IconNode, Search, Settings, Tag, User } from 'lucide';

import { useCan } from '../../access/can.js';
import { catalogQuery } from '../../api/access/permission-assignments.js';
import { useSession } from '../../access/session.js';
import { listQuery } from '../../api/lists.js';
import { keysOf } from '../../keyboard/shortcuts.js';
import type { MenuAct, MenuLink } from '../../ui/menu/entries.js';
import { sheet } from '../../keyboard/sheet.js';
import { t as laterText } from '../later-texts.js';
import { navigationFor } from '../navigation.js';
import { t as shellText } from '../texts.js';
import { nameOf as nameOfUser, usersQuery } from '../../api/people/users.js';
import { currentOffers, type Offer } from '../../parts/palette/offers.js';
import { recentDevices } from '../../state/recent-devices.js';
import { useCommandRows } from './command-rows.js';
import { deviceRow, useDeviceActRows, useDeviceRows } from './device-rows.js';
import { byRank, rankOf } from './rank.js';
import { type Asked, type Go, MOST, NOT_ASKED, type Progress, progressOf, type Row, type RowGroup } from './row.js';
import { t } from './texts.js';
import { hasWords, questionsOf, type Typed } from './typed.js';

interface Found extends Progress {
  readonly groups: readonly RowGroup[];
}

/** Rows for the typed text. `settled` is the text once typing rests: only that is searched for. */
export function useRows(typed: Typed, settled: string): Found {
  const session = useSession();
  const go = useGo();
  const isWhole = session.deviceId === null;
  const isOfAll = isWhole && typed.mode === 'all';
  const offers = currentOffers();
  const devices = useDeviceRows(isOfAll ? settled : '', go);
  const deviceActs = useDeviceActRows(isOfAll ? settled : '', go);
  const places = usePlaceRows(isOfAll && typed.text !== '', typed.words, go);
  const users = useUserRows(isWhole && typed.mode === 'users', typed.words, go);
  const tags = useTagRows(isWhole && typed.mode === 'tags', typed.words, go);
  const questions = useQuestionRows(isWhole && typed.mode === 'why', typed.words, offers, go);
  const commands = { value: t('actions'), items: useCommandRows(typed.words, go) };
  const acts = offers.map((offer) => ({ value: offer.heading, items: actRows(offer, typed.words, go) }));
  const found = ((): Found => {
    switch (typed.mode) {
      case 'actions':
        return { ...NOT_ASKED, groups: isWhole ? [...acts, commands] : acts };
      case 'users':
        return { ...users, groups: [{ value: t('users'), items: users.rows }] };
      case 'tags':
        return { ...tags, groups: [{ value: t('tags'), items: tags.rows }] };
      case 'why':
        return { ...questions, groups: [{ value: t('why'), items: questions.rows }] };
      case 'all': {
        if (!isWhole) return { ...NOT_ASKED, groups: acts };
        const pages = { value: t('pages'), items: pageRows(session, typed.words, go) };
        const recent = recentDevices(session.user.id).map(({ id, name }) => deviceRow(id, name, undefined, go, History));
        if (typed.text === '') return { ...NOT_ASKED, groups: [...acts, { value: t('recent'), items: recent }, pages] };
        const groups = [
          { value: t('devices-acts'), items: deviceActs.rows },
          { value: t('devices'), items: devices.rows },
          ...acts,
          ...places.groups,
          pages,
          commands,
        ];
        return {
          isBusy: devices.isBusy || deviceActs.isBusy || places.isBusy,
          error: devices.error ?? deviceActs.error ?? places.error,
          groups: ranked(typed.text, groups),
        };
      }
    }
  })();
  return { ...found, groups: found.groups.filter(({ items }) => items.length > 0) };
}

/** The groups by the row of each that fits best, and their rows by how well they fit. Acts on devices that the text names come first. */
function ranked(text: string, groups: readonly RowGroup[]): readonly RowGroup[] {
  const [acts, ...others] = groups.map(({ value, items }) => ({ value, items: byRank(text, items, ({ label }) => label) }));
  const sorted = others.toSorted((one, other) => rankOf(text, one.items[0]?.label) - rankOf(text, other.items[0]?.label));
  return acts === undefined ? sorted : [acts, ...sorted];
}

function useGo(): Go {
  const router = useRouter();
  return (href) => void router.navigate({ href });
}

/** Customers and groups of devices. */
function usePlaceRows(isWanted: boolean, words: readonly string[], go: Go): Found {
  const customers = useQuery({ ...listQuery('customers'), enabled: useCan('tenant.customers.read') && isWanted });
  const groups = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') && isWanted });
  const rowsOf = (
    list: readonly { readonly id: string; readonly name: string }[] | undefined,
    path: string,
    icon: IconNode,
  ): readonly Row[] =>
    byRank(words.join(' '), isWanted ? (list ?? []).filter(({ name }) => hasWords(words, name)) : [], ({ name }) => name)
      .slice(0, MOST)
      .map(({ id, name }) => ({ id: `${path} ${id}`, label: name, icon, run: () => go(`/${path}/${id}`) }));
  return {
    ...progressOf(customers, groups),
    groups: [
      { value: t('customers'), items: rowsOf(customers.data, 'customers', Building2) },
      { value: t('groups'), items: rowsOf(groups.data, 'device-groups', Folder) },
    ],
  };
}

function useUserRows(isWanted: boolean, words: readonly string[], go: Go): Asked {
  const users = useQuery({ ...usersQuery, enabled: useCan('tenant.users.read') && isWanted });
  const rows = (users.data ?? [])
    .filter(({ displayName, userName, email }) => hasWords(words, displayName, userName, email))
    .slice(0, MOST)
    .map((user) => ({
      id: `user ${user.id}`,
      label: nameOfUser(user),
      detail: user.email ?? undefined,
      icon: User,
      run: () => go(`/users/${user.id}`),
    }));
  return { rows, ...progressOf(users) };
}

function useTagRows(isWanted: boolean, words: readonly string[], go: Go): Asked {
  const tags = useQuery({ ...listQuery('tags'), enabled: isWanted });
  const rows = (tags.data ?? [])
    .filter(({ name }) => hasWords(words, name))
    .slice(0, MOST)
    .map(({ id, name }) => ({
      id: `tag ${id}`,
      label: name,
      detail: t('devices-with-tag'),
      icon: Tag,
      run: () => go(`/devices?tag=${id}`),
    }));
  return { rows, ...progressOf(tags) };
}

/** Questions to the page that explains permissions, about the object of the current page if it has permissions. */
function useQuestionRows(isWanted: boolean, words: readonly string[], offers: readonly Offer[], go: Go): Asked {
  const { user } = useSession();
  const mayAsk = useCan('tenant.permissions.read') && isWanted;
  const users = useQuery({ ...usersQuery, enabled: useCan('tenant.users.read') && mayAsk });
  const catalog = useQuery({ ...catalogQuery, enabled: mayAsk });
  if (!mayAsk) return { ...NOT_ASKED, rows: [] };
  const people = (users.data ?? []).map((each) => ({ id: each.id, name: nameOfUser(each) }));
  const about = offers.find(({ scope }) => scope !== undefined);
  const ask = (who: string, what: string | undefined): void => {
    const isOfDevice = what?.startsWith('device.') === true && about?.scope !== undefined;
    const question = { who: `User:${who}`, ...(what !== undefined && { what }), ...(isOfDevice && { on: about.scope }) };
    go(`/effective-permissions?${new URLSearchParams(question).toString()}`);
  };
  const row = (who: string, name: string | null, what: { readonly name: string; readonly displayName: string } | null): Row => ({
    id: `why ${who} ${what?.name ?? ''}`,
    label: t(name === null ? 'why-you' : 'why-somebody', { name: name ?? '', act: what?.displayName ?? '…' }),
    detail: what?.name,
    icon: CircleHelp,
    run: () => ask(who, what?.name),
  });
  const questions = questionsOf(words, people, catalog.data ?? [], MOST);
  const rows =
    questions.length === 0 && words.length === 0
      ? [row(user.id, null, null)]
      : questions.map(({ person, permission }) => row(person?.id ?? user.id, person?.name ?? null, permission));
  return { rows, ...progressOf(users, catalog) };
}

function actRows({ heading, acts }: Offer, words: readonly string[], go: Go): readonly Row[] {
  return acts
    .filter(({ label }) => hasWords(words, label, heading))
    .map((act) => ({
      id: `act ${heading} ${act.label}`,
      label: act.label,
      detail: 'hint' in act ? act.hint : undefined,
      icon: act.icon ?? Search,
      keys: act.shortcut,
      disabled: 'disabled' in act && act.disabled === true,
      run: () => start(act, go),
    }));
}

function start(act: MenuAct | MenuLink, go: Go): void {
  if ('href' in act) go(act.href);
  else act.onSelect();
}

function pageRows(session: Parameters<typeof navigationFor>[0], words: readonly string[], go: Go): readonly Row[] {
  const pages = navigationFor(session).flatMap(({ text: group, entries }) =>
    entries.map(({ to, text, icon, shortcut }): Row & { readonly group: string } => ({
      id: `page ${to}`,
      label: shellText(text),
      group: shellText(group),
      detail: group === 'server' ? shellText(group) : undefined,
      icon,
      keys: shortcut === undefined ? undefined : keysOf(shortcut),
      run: () => go(to),
    })),
  );
  const others: readonly Row[] = [
    { id: 'page account', label: laterText('account'), icon: User, run: () => go('/account/profile') },
    { id: 'page preferences', label: t('preferences'), icon: Settings, run: () => go('/account/preferences') },
    { id: 'sheet', label: laterText('shortcuts'), icon: Keyboard, keys: keysOf('sheet'), run: sheet.open },
  ];
  return [...pages.filter(({ label, group }) => hasWords(words, label, group)), ...others.filter(({ label }) => hasWords(words, label))];
}
