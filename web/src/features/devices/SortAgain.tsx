import type { ReactNode } from 'react';

import type { Device } from '../../model/devices/device-search.js';
import { Button } from '../../ui/button/Button.js';
import { t } from './later-texts.js';
import { useChangedOrder } from './useChangedOrder.js';

interface SortAgainProps {
  readonly inSight: readonly Device[];
  readonly sort: string | undefined;
  readonly onSort: () => void;
}

/** Says that the order of the devices in sight has changed, and sorts the list again. */
export function SortAgain({ inSight, sort, onSort }: SortAgainProps): ReactNode {
  const moved = useChangedOrder(inSight, sort);
  return (
    moved > 0 && (
      <span className="row">
        {t('moved', { count: moved })}
        <Button look="quiet" onClick={onSort}>
          {t('sort-again')}
        </Button>
      </span>
    )
  );
}
