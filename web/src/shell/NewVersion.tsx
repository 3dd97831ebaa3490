import { RotateCw } from 'lucide';
import type { ReactNode } from 'react';

import { newVersion } from '../live/new-version.js';
import { Button } from '../ui/button/Button.js';
import { isPhone, useMedia } from '../ui/media.js';
import { t } from './later-texts.js';

/** Offers to reload the pages once the service has a newer version of them. They never reload by themselves while something runs. */
export function NewVersion(): ReactNode {
  const isThere = newVersion.useValue();
  const isSmall = useMedia(isPhone);
  return (
    <span role="status">
      {isThere && (
        <Button icon={RotateCw} look="quiet" aria-label={t('reload')} onClick={() => location.reload()}>
          {t(isSmall ? 'reload-short' : 'reload')}
        </Button>
      )}
    </span>
  );
}
