import { Plus } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { t } from './texts.js';

/** Forms are heavy, and the first rows wait for none. */
const ConditionForm = lazy(async () => ({ default: (await import('./ConditionForm.js')).ConditionForm }));

interface AddConditionProps {
  readonly disabled: boolean;
  /** Gets the condition as the address holds it. */
  readonly onAdd: (condition: string) => void;
}

/** A button for one more condition on a property of devices. */
export function AddCondition({ disabled, onAdd }: AddConditionProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" icon={Plus} disabled={disabled} onClick={() => setOpen(true)}>
        {t('filter')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('filter-title')}>
        <ConditionForm
          onAdd={(condition) => {
            setOpen(false);
            onAdd(condition);
          }}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
