import { Plus } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { t } from './later-texts.js';

/** The code of forms is large. The first rows must not wait for it. */
const load = async (): Promise<typeof import('./ConditionDialog.js')> => import('./ConditionDialog.js');
const ConditionDialog = lazy(async () => ({ default: (await load()).ConditionDialog }));

interface AddConditionProps {
  readonly disabled: boolean;
  /** Gets the condition as the address holds it. */
  readonly onAdd: (condition: string) => void;
}

/** A button for one more condition on a property of devices. */
export function AddCondition({ disabled, onAdd }: AddConditionProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useFirstOpening(isOpen, load);
  return (
    <>
      <Button look="quiet" icon={Plus} disabled={disabled} onClick={() => setOpen(true)}>
        {t('filter')}
      </Button>
      {wasOpened && (
        <Suspense>
          <ConditionDialog open={isOpen} onClose={() => setOpen(false)} onAdd={onAdd} />
        </Suspense>
      )}
    </>
  );
}
