import type { CSSProperties, ReactNode } from 'react';

import { t } from '../texts.js';
import css from './Skeleton.module.css';

interface SkeletonProps {
  /** Width and height of the coming content, as CSS lengths. */
  readonly width?: CSSProperties['width'];
  readonly height?: CSSProperties['height'];
}

/** The place of a text or a figure that is on its way. It is not seen during the first 150 ms. */
export function Skeleton({ width = '100%', height = 14 }: SkeletonProps): ReactNode {
  return <span className={css.bone} style={{ width, height }} aria-hidden />;
}

interface SkeletonListProps {
  /** As many rows as probably come; a window full at most. */
  readonly rows?: number;
  /** Relative widths of the columns. */
  readonly columns?: readonly number[];
}

/** The place of a list that is on its way, in its final shape. Says aloud that it loads. */
export function SkeletonList({ rows = 8, columns = [3, 2, 2, 1] }: SkeletonListProps): ReactNode {
  return (
    <div className={css.list} role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.row}>
          {columns.map((share, column) => (
            <span key={column} className={css.cell} style={{ flexGrow: share }}>
              {/* Uneven widths look like text. */}
              <Skeleton width={`${55 + ((row * 7 + column * 13) % 5) * 8}%`} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
