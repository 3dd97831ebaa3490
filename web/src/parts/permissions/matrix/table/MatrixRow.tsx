import type { ReactNode } from 'react';

import { t } from '../../texts.js';
import css from '../AccessMatrix.module.css';
import type { Place } from './block.js';
import { CategoryButton, CellButton, type PlaceButtonProps } from './CellButton.js';
import { stateOf } from '../contents.js';
import { cellKey, scopeKey } from '../../../../model/permissions/scopes.js';
import type { MatrixTableProps } from './table-props.js';
import type { Line } from './useSelection.js';

interface MatrixRowProps extends Pick<MatrixTableProps, 'columns' | 'names' | 'changes' | 'brought' | 'contentAt' | 'mayChange'> {
  readonly line: Line;
  /** Its place among the lines. */
  readonly row: number;
  readonly buttonAt: (place: Place) => Omit<PlaceButtonProps, 'isLocked'>;
}

/** A category or a permission, with a button for each scope where it can be assigned. */
export function MatrixRow({ line, row, columns, names, changes, brought, contentAt, mayChange, buttonAt }: MatrixRowProps): ReactNode {
  const { category, entry, cells } = line;
  return (
    <tr className={entry === null ? css.category : undefined}>
      {entry === null ? (
        <th scope="row">{category}</th>
      ) : (
        <th scope="row" className={css.name} title={`${entry.name}: ${entry.description}`}>
          {entry.displayName}
        </th>
      )}
      {cells.map((inPlace, column) => {
        const scope = columns[column];
        if (inPlace.length === 0) {
          return (
            <td key={scopeKey(scope)} className={css.illegal}>
              <span className="visually-hidden">{t('not-here')}</span>
            </td>
          );
        }
        const button = buttonAt({ row, column });
        const [cell] = inPlace;
        return (
          <td key={scopeKey(scope)}>
            {entry === null ? (
              <CategoryButton
                {...button}
                category={category}
                scopeName={names.scopeName(scope)}
                states={inPlace.map((each) => stateOf(contentAt(each)))}
                isLocked={!inPlace.some(mayChange)}
              />
            ) : (
              <CellButton
                {...button}
                {...{ cell, names }}
                content={contentAt(cell)}
                brought={brought.get(cellKey(cell)) ?? []}
                isChanged={changes.has(cellKey(cell))}
                isLocked={!mayChange(cell)}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}
