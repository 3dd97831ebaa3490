import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { TextField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import { Select } from '../../ui/select/Select.js';
import { writeCondition } from './device-search.js';
import { isOperator, operatorsFor, PROPERTIES, type Property, type PropertyKind } from './properties.js';
import { t } from './texts.js';

interface AddConditionProps {
  readonly disabled: boolean;
  /** Gets the condition as the address holds it. */
  readonly onAdd: (condition: string) => void;
}

/** Properties that filters offer; the state has a filter of its own. */
const OFFERED = (Object.keys(PROPERTIES) as Property[]).filter((property) => PROPERTIES[property] !== 'flag');

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

function ConditionForm({ onAdd, onCancel }: { readonly onAdd: (condition: string) => void; readonly onCancel: () => void }): ReactNode {
  const [property, setProperty] = useState<Property>('osDescription');
  const kind = PROPERTIES[property];
  return (
    <Form
      onSubmit={({ operator = '', value = '' }) => {
        if (isOperator(operator)) onAdd(writeCondition({ property, operator, value: toSent(kind, value) }));
      }}
    >
      <Select
        name="property"
        label={t('property')}
        value={property}
        onValueChange={setProperty}
        options={OFFERED.map((name) => ({ value: name, label: t(`property-${name}`) }))}
      />
      <Select
        name="operator"
        label={t('operator')}
        key={kind}
        options={operatorsFor(property).map((name) => ({ value: name, label: t(`operator-${name}`) }))}
      />
      <TextField
        name="value"
        label={t('value')}
        key={`value-${kind}`}
        type={kind === 'instant' ? 'date' : kind === 'text' ? 'text' : 'number'}
        hint={kind === 'share' ? t('value-percent') : undefined}
        step="any"
        required
        autoComplete="off"
      />
      <FormActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" look="primary">
          {t('add-filter')}
        </Button>
      </FormActions>
    </Form>
  );
}

/** What the address holds for what was typed: shares are typed in percent. */
function toSent(kind: PropertyKind, value: string): string {
  if (kind === 'share') return String(Number(value) / 100);
  return kind === 'instant' ? new Date(value).toISOString() : value;
}
