import type { ReactNode } from 'react';

import css from '../diff/Diff.module.css';
import { t } from './texts.js';
import own from './Changed.module.css';

interface ChangedTableProps {
  /** Headers of the two columns of texts: "Your version", "Their version". */
  readonly heads: readonly [first: string, second: string];
  readonly rows: readonly {
    readonly field: string;
    readonly first: ReactNode;
    readonly second: ReactNode;
  }[];
}

/** Two states of a thing, field by field. On phones each field is a block of its own. */
export function ChangedTable({ heads, rows }: ChangedTableProps): ReactNode {
  return (
    <table className={css.diff}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, first, second }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td data-label={heads[0]} className={own.text}>
              {first === '' ? <None /> : first}
            </td>
            <td data-label={heads[1]} className={own.text}>
              {second === '' ? <None /> : second}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function None(): ReactNode {
  return (
    <span className="faint">
      <span aria-hidden>–</span>
      <span className="visually-hidden">{t('none')}</span>
    </span>
  );
}
