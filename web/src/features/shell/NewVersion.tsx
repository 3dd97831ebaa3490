import { RotateCw } from 'lucide';
import { type ReactNode, useSyncExternalStore } from 'react';

import { hasNewVersion, onNewVersion } from '../../live/new-version.js';
import { Button } from '../../ui/button/Button.js';
import { t } from './later-texts.js';

/** Offers to reload the pages once the service has a newer version of them. They never reload by themselves while something runs. */
export function NewVersion(): ReactNode {
  const isThere = useSyncExternalStore(onNewVersion, hasNewVersion);
  return (
    <span role="status">
      {isThere && (
        <Button icon={RotateCw} look="quiet" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
      )}
    </span>
  );
}
