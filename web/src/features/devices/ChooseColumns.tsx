import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import type { ColumnChoice } from '../../parts/devices/chosen-columns.js';
import { t } from '../../parts/devices/texts.js';

const load = async (): Promise<typeof import('./column-choice/ColumnChooser.js')> => import('./column-choice/ColumnChooser.js');
const ColumnChooser = lazy(async () => ({ default: (await load()).ColumnChooser }));

interface ChooseColumnsProps {
  /** The columns as the address holds them. */
  readonly cols: string | undefined;
  readonly onChange: (choose: ColumnChoice) => void;
  readonly disabled: boolean;
}

/** A button for the choice of columns and their order, beside the list. */
export function ChooseColumns({ cols, onChange, disabled }: ChooseColumnsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useFirstOpening(isOpen, load);
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        {t('columns')}
      </Button>
      {wasOpened && (
        <Suspense>
          <ColumnChooser open={isOpen} onClose={() => setOpen(false)} cols={cols} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
