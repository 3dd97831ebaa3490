import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleHelp, History, Keyboard, type IconNode, Monitor, Search, Settings, Tag, User } from 'lucide';

import { useCan } from '../../access/can.js';
import { catalogQuery } from '../../api/access/permission-assignments.js';
import { useSession } from '../../access/session.js';
import { listQuery } from '../../api/lists.js';
import { keysOf } from '../../keyboard/shortcuts.js';
import type { MenuAct, MenuLink } from '../../ui/menu/entries.js';
import { devicesQuery } from '../../api/devices/device-list.js';
import { sheet } from '../../keyboard/sheet.js';
import { t as laterText } from '../later-texts.js';
import { navigationFor } from '../navigation.js';
import { t as shellText } from '../texts.js';
import { nameOf as nameOfUser, usersQuery } from '../../api/people/users.js';
import { currentOffers, type Offer } from '../../parts/palette/offers.js';
import { recentDevices } from '../../state/recent-devices.js';
import { t } from './texts.js';
import { hasWords, questionsOf, type Typed } from './typed.js';

/** One choice of the palette. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: IconNode;
  /** The keys that do the same without the palette. */
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly run: () => void;
}

export interface RowGroup {
  readonly value: string;
  readonly items: readonly Row[];
}

/** Choices of one kind at a time: more would have to be scrolled through. */
const MOST = 8;

/** Progress of the answer that rows come from. */
interface Progress {
  readonly isBusy: boolean;
  readonly error: unknown;
}

interface Found extends Progress {
  readonly groups: readonly RowGroup[];
}

/** Rows of one kind that the service is asked for. */
interface Asked extends Progress {
  readonly rows: readonly Row[];
}

const NOT_ASKED: Progress = { isBusy: false, error: null };

/** Lists are asked for once, and searched here. */
const progressOf = (...lists: readonly { readonly isLoading: boolean; readonly error: unknown }[]): Progress => ({
  isBusy: lists.some(({ isLoading }) => isLoading),
  error: lists.map(({ error }) => error).find((error) => error !== null) ?? null,
});

/** Rows for the typed text. `settled` is the text once typing rests: only that is searched for. */
export function useRows(typed: Typed, settled: string): Found {
  const session = useSession();
  const go = useGo();
  const isWhole = session.deviceId === null;
  const offers = currentOffers();
  const devices = useDeviceRows(isWhole && typed.mode === 'all' ? settled : '', go);
  const users = useUserRows(isWhole && typed.mode === 'users', typed.words, go);
  const tags = useTagRows(isWhole && typed.mode === 'tags', typed.words, go);
  const questions = useQuestionRows(isWhole && typed.mode === 'why', typed.words, offers, go);
  const acts = offers.map((offer) => ({ value: offer.heading, items: actRows(offer, typed.words, go) }));
  const found = ((): Found => {
    switch (typed.mode) {
      case 'actions':
        return { ...NOT_ASKED, groups: acts };
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
        return typed.text === ''
          ? { ...NOT_ASKED, groups: [...acts, { value: t('recent'), items: recent }, pages] }
          : { ...devices, groups: [{ value: t('devices'), items: devices.rows }, ...acts, pages] };
      }
    }
  })();
  return { ...found, groups: found.groups.filter(({ items }) => items.length > 0) };
}

type Go = (href: string) => void;

function useGo(): Go {
  const router = useRouter();
  return (href) => void router.navigate({ href });
}

const deviceRow = (id: string, label: string, detail: string | undefined, go: Go, icon: IconNode): Row => ({
  id: `device ${id}`,
  label,
  detail,
  icon,
  run: () => go(`/devices/${id}`),
});

function useDeviceRows(text: string, go: Go): Asked {
  const { data, isFetching, error } = useQuery({
    ...devicesQuery({ q: text }, 0, MOST),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  const items = text === '' ? [] : (data?.items ?? []);
  const rows = items.map(({ id, alias, name, customerName, isOnline }) => {
    const detail = [customerName, isOnline ? t('online') : t('offline')].filter(Boolean).join(' · ');
    return deviceRow(id, alias === null || alias === '' ? name : alias, detail, go, Monitor);
  });
  return { rows, isBusy: isFetching && text !== '', error: text === '' ? null : error };
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
      detail: group === 'group-server' ? shellText(group) : undefined,
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
