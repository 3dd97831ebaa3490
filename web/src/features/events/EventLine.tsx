import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import type { TenantEvent } from '../../api/system/events.js';
import { formatInstant, formatTime } from '../../i18n/format.js';
import { eventKindName } from '../../parts/events/kinds.js';
import css from './EventsPage.module.css';
import { detailOf, sentenceOf } from './sentence.js';

/** An event as a line, which leads to its device or its user. */
export function EventLine({ event }: { readonly event: TenantEvent }): ReactNode {
  const mayReadUsers = useCan('tenant.users.read');
  const { deviceId, actor, kind, data } = event;
  const content = <Content event={event} />;
  if (deviceId !== null && deviceId !== undefined) {
    return (
      <Link className={css.event} to="/devices/$deviceId" params={{ deviceId }}>
        {content}
      </Link>
    );
  }
  const userId = kind === 'user.signed-in' ? actor?.id : data.principalKind === 'User' ? data.principalId : undefined;
  if (mayReadUsers && userId !== null && userId !== undefined) {
    return (
      <Link className={css.event} to="/users/$userId" params={{ userId }}>
        {content}
      </Link>
    );
  }
  return <div className={css.event}>{content}</div>;
}

function Content({ event }: { readonly event: TenantEvent }): ReactNode {
  const { kind, occurredAt } = event;
  return (
    <>
      <time className={css.time} dateTime={occurredAt} title={formatInstant(occurredAt)}>
        {formatTime(occurredAt)}
      </time>
      <span className={css.sentence}>{sentenceOf(event)}</span>
      <span className={css.detail}>{detailOf(event)}</span>
      <span className={css.kind}>{eventKindName(kind)}</span>
    </>
  );
}
