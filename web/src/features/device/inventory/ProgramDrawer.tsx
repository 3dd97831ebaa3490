import { type ReactNode, useMemo, useState } from 'react';

import { Badge } from '../../../ui/badge/Badge.js';
import { Drawer } from '../../../ui/drawer/Drawer.js';
import { SearchField } from '../../../ui/field/SearchField.js';
import css from './Inventory.module.css';
import { MAXIMUM_ROWS, type Program, programsWith } from './programs.js';
import { t } from './texts.js';

interface ProgramDrawerProps {
  readonly title: string;
  readonly programs: readonly Program[];
  /** Number of those that the agent could not list. */
  readonly unlisted: number;
  readonly onClose: () => void;
}

/** All programs or updates of the device, with a search. */
export function ProgramDrawer({ title, programs, unlisted, onClose }: ProgramDrawerProps): ReactNode {
  const [text, setText] = useState('');
  const found = useMemo(() => programsWith(programs, text), [programs, text]);
  const more = Math.max(0, found.length - MAXIMUM_ROWS) + (text === '' ? unlisted : 0);
  return (
    <Drawer open onClose={onClose} title={title}>
      <SearchField label={t('search')} value={text} onSearch={setText} isMain={false} />
      {found.length === 0 && <p className="muted">{t('no-match')}</p>}
      <ul className={css.list} aria-label={title}>
        {found.slice(0, MAXIMUM_ROWS).map(({ name, version, publisher, isSecurity }, at) => (
          // A program may be there twice, for two kinds of processors.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={css.program}>
            <span className={css.name}>
              {name} {isSecurity === true && <Badge look="warn">{t('security')}</Badge>}
            </span>
            <span className="meta">{[version, publisher].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="muted">{t('more', { count: more })}</p>}
    </Drawer>
  );
}
