import type { ReactNode } from 'react';

import { formatBytes } from '../../../../i18n/format.js';
import { Select } from '../../../../ui/select/Select.js';
import { type EncodingChoice, ENCODINGS } from './encoding.js';
import css from './FileEditor.module.css';
import { lineEndsOf } from './line-ends.js';
import type { TextFile } from './text-file.js';
import { t } from './texts.js';

interface StatusLineProps {
  readonly file: Extract<TextFile, { readonly kind: 'text' }>;
  readonly position: { readonly line: number; readonly column: number };
  readonly choice: EncodingChoice;
  /** Null if the file cannot be saved. */
  readonly onChoose: ((choice: EncodingChoice) => void) | null;
}

const NAMES = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const;

/** The place of the cursor, and how the file is stored. */
export function StatusLine({ file, position, choice, onChoose }: StatusLineProps): ReactNode {
  const ends = [...new Set(lineEndsOf(file.text))];
  return (
    <footer className={css.status}>
      <span className="figures">{t('position', position)}</span>
      <span className="grow" />
      {ends.length > 0 && <span>{ends.length === 1 ? NAMES[ends[0]] : t('mixed-ends')}</span>}
      <span className="figures">{formatBytes(file.stamp.size)}</span>
      {onChoose === null ? (
        <span>{t(`encoding-${choice}`)}</span>
      ) : (
        <Select
          label={t('encoding')}
          hideLabel
          value={choice}
          options={ENCODINGS.map((value) => ({ value, label: t(`encoding-${value}`) }))}
          onValueChange={onChoose}
        />
      )}
    </footer>
  );
}
