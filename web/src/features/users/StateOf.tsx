import type { ReactNode } from 'react';

import type { Standing } from '../../api/people/user-standing.js';
import { Badge, type BadgeLook } from '../../ui/badge/Badge.js';
import { useNow } from '../../ui/use-now.js';
import { factorsOf, stateDetail } from './standing.js';
import { t } from './standing-texts.js';

const LOOKS: Readonly<Record<Standing['state'], BadgeLook>> = {
  Active: 'ok',
  Invited: 'accent',
  Unconfirmed: 'warn',
  Locked: 'warn',
  Suspended: 'bad',
  Visitor: 'neutral',
};

/** State of a user, and since or until when. */
export function StateOf({ standing }: { readonly standing: Standing }): ReactNode {
  const detail = stateDetail(standing, useNow());
  return (
    <span className="row">
      <Badge look={LOOKS[standing.state]}>{t(`state-${standing.state}`)}</Badge>
      {detail !== null && (
        <span className="muted" style={{ whiteSpace: 'nowrap' }}>
          {detail}
        </span>
      )}
    </span>
  );
}

/** The second factors of a user in words. */
export const factorsInWords = (standing: Standing): string =>
  factorsOf(standing)
    .map((factor) => t(`factor-${factor}`))
    .join(', ');
