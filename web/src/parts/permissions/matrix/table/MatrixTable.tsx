import type { ReactNode } from 'react';

import { t } from '../../texts.js';
import css from '../AccessMatrix.module.css';
import { MatrixRow } from './MatrixRow.js';
import { scopeKey } from '../../../../model/permissions/scopes.js';
import type { MatrixTableProps } from './table-props.js';
import { useTableKeys } from './useTableKeys.js';

/** Permissions by category, against scopes. Tab reaches the table once, the arrow keys go from cell to cell. */
export function MatrixTable(props: MatrixTableProps): ReactNode {
  const { lines, columns, names, changes, brought, contentAt, mayChange } = props;
  const { frame, onKeyDown, buttonAt } = useTableKeys(props);
  return (
    // The keys are those of the buttons in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.frame} ref={frame} onKeyDown={onKeyDown}>
      <table className={css.table} aria-label={t('access')}>
        <thead>
          <tr>
            <th scope="col">{t('permission')}</th>
            {columns.map((scope) => (
              <th key={scopeKey(scope)} scope="col" className={css.column}>
                <span className={css.kind}>{t(`kind-${scope.kind}`)}</span>
                <span className={css.scope} title={names.scopeName(scope)}>
                  {names.scopeName(scope)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, row) => (
            <MatrixRow key={line.key} {...{ line, row, columns, names, changes, brought, contentAt, mayChange, buttonAt }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
