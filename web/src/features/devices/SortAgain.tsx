import type { ReactNode } from 'react';

import { queryClient } from '../../api/queries.js';
import type { Device } from '../../model/devices/device-search.js';
import { Button } from '../../ui/button/Button.js';
import { t } from './later-texts.js';
import { useChangedOrder } from './useChangedOrder.js';

interface SortAgainProps {
  readonly inSight: readonly Device[];
  readonly sort: string | undefined;
}

/** Says that the order of the devices in sight has changed, and sorts the list again. */
export function SortAgain({ inSight, sort }: SortAgainProps): ReactNode {
  const moved = useChangedOrder(inSight, sort);
  return (
    moved > 0 && (
      <span className="row">
        {t('moved', { count: moved })}
        {/* All pages of the list: the first one may not be in sight. */}
        <Button look="quiet" onClick={() => void queryClient.invalidateQueries({ queryKey: ['devices', 'search'] })}>
          {t('sort-again')}
        </Button>
      </span>
    )
  );
}
