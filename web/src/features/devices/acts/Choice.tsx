import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { listQuery } from '../../../api/lists.js';
import { Button } from '../../../ui/button/Button.js';
import { Combobox, type ComboboxItem } from '../../../ui/combobox/Combobox.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import type { Act, PlacingKind } from './act.js';
import { t } from './texts.js';

const LISTS = { tag: 'tags', customer: 'customers', group: 'device-groups' } as const;

interface ChoiceProps {
  readonly kind: PlacingKind;
  /** Devices that are placed. */
  readonly count: number;
  readonly onChosen: (act: Act) => void;
  readonly onClose: () => void;
}

/** Asks for the tag, customer or group. */
export function Choice({ kind, count, onChosen, onClose }: ChoiceProps): ReactNode {
  const places = useQuery(listQuery(LISTS[kind]));
  const [chosen, setChosen] = useState<ComboboxItem | null>(null);
  return (
    <Dialog open onClose={onClose} title={t(`choose-${kind}`, { count })}>
      <Form
        error={places.error}
        onSubmit={() => {
          if (chosen !== null) onChosen({ kind, id: chosen.value, name: chosen.label });
        }}
      >
        <Combobox
          label={t(`place-${kind}`)}
          hint={kind === 'customer' ? t('place-customer-hint') : undefined}
          items={(places.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onValueChange={setChosen}
          busy={places.isPending}
          required
        />
        <FormActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={chosen === null}>
            {t(kind)}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
