import type { ReactNode } from 'react';

import type { Log } from '../../api/access/change-log.js';
import { formatInstant } from '../../i18n/format.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { permissionName } from '../../i18n/permission-names.js';
import { Button } from '../../ui/button/Button.js';
import type { Json } from '../../ui/diff/changes.js';
import { Diff } from '../../ui/diff/Diff.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import css from './ChangeLogPage.module.css';
import { type Entry, type EntrySubject, type NameOf, stateOf } from './entry.js';
import { ObjectLink } from './ObjectLink.js';
import { actorOf, kindNameOf, kindOf, targetOf } from './sentence.js';
import { t } from './texts.js';

interface EntryDetailsProps {
  readonly entry: Entry;
  readonly log: Log;
  readonly nameOf: NameOf;
  readonly onFilter: (search: ChangeLogAddress) => void;
}

/** Everything that an entry holds, with links to what it concerns. */
export function EntryDetails({ entry, log, nameOf, onFilter }: EntryDetailsProps): ReactNode {
  const { actorPrincipalId, targetId, ipAddress, userCorrelationId, sessionCorrelationId } = entry;
  // An assignment has no name of its own: its permission, holder and scope say what it is.
  const concerned = entry.subjects.filter(({ name }) => name !== null);
  return (
    <div className="stack">
      <PropertyList>
        <Property term={t('time')}>{formatInstant(entry.createdAt)}</Property>
        <Property term={t('actor')}>{actorOf(entry, nameOf)}</Property>
        <Property term={t('actor-id')} mono copy={actorPrincipalId ?? undefined}>
          {actorPrincipalId}
        </Property>
        <Property term={t('target')}>{`${kindOf(entry)} ${targetOf(entry, nameOf)}`.trim()}</Property>
        <Property term={t('target-id')} mono copy={targetId ?? undefined}>
          {targetId}
        </Property>
        <Property term={t('address')} mono copy={ipAddress ?? undefined}>
          {ipAddress}
        </Property>
        <Property term={t('action')} mono>
          {entry.actionType}
        </Property>
        {userCorrelationId !== null && <Property term={t('correlation-user')}>{userCorrelationId}</Property>}
        {sessionCorrelationId !== null && <Property term={t('correlation-session')}>{sessionCorrelationId}</Property>}
        <Property term={t('id')} mono copy={entry.id}>
          {entry.id}
        </Property>
      </PropertyList>
      <h3>{t('concerned')}</h3>
      <ul className={css.concerned}>
        {concerned.map((subject) => (
          <li key={subject.id}>
            <span className={css.what}>
              <span className="muted">{kindNameOf(subject.kind)}</span>{' '}
              <ObjectLink {...{ subject, log }}>{shownNameOf(subject)}</ObjectLink>
            </span>
            <Button onClick={() => onFilter(filterFor(subject))}>{t('show-changes')}</Button>
          </li>
        ))}
      </ul>
      <h3>{t('changes')}</h3>
      <Diff before={named(stateOf(entry.beforeJson), nameOf)} after={named(stateOf(entry.afterJson), nameOf)} />
    </div>
  );
}

const shownNameOf = ({ kind, name }: EntrySubject): string => (kind === 'Permission' ? permissionName(name ?? '') : (name ?? ''));

/** A state with the name before each id. */
function named(state: Json | undefined, nameOf: NameOf): Json | undefined {
  if (typeof state === 'string') {
    const name = nameOf(state);
    return name === undefined ? state : `${name} (${state})`;
  }
  if (Array.isArray(state)) return state.map((item: Json) => named(item, nameOf) ?? null);
  if (typeof state !== 'object' || state === null) return state;
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, named(value, nameOf) ?? null]));
}

/** The search for all entries about a subject. */
function filterFor({ kind, id, name }: EntrySubject): ChangeLogAddress {
  if (kind === 'Permission') return { permission: name ?? undefined };
  if (kind === 'Reference') return { reference: name ?? undefined };
  return { about: id };
}
