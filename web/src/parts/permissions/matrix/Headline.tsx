import type { ReactNode } from 'react';

import { t } from '../texts.js';
import type { Summary } from './standing.js';

interface HeadlineProps {
  readonly summary: Summary;
  readonly groupName: (groupId: string) => string;
}

/** Permissions of the principal, in one line: "May use 31 of 68 permissions · 4 through Helpdesk · 2 denied". */
export function Headline({ summary: { usable, total, through, denied }, groupName }: HeadlineProps): ReactNode {
  const parts = [
    t('may-use', { usable, total }),
    ...through.map(({ groupId, count }) => t('through', { count, group: groupName(groupId) })),
    ...(denied > 0 ? [t('denied-count', { count: denied })] : []),
  ];
  return <p className="muted">{parts.join(' · ')}</p>;
}
