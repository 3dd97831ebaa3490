import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { fromLocalTime } from '../../ui/date-time/local-time.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { Select } from '../../ui/select/Select.js';
import { writeCondition } from '../../model/devices/device-search.js';
import { isOperator, operatorsFor, PROPERTIES, type Property, type PropertyKind } from '../../model/devices/properties.js';
import { conditionText } from './condition-texts.js';

type Field = 'operator' | 'value';

/** Properties that filters offer; the state has a filter of its own. */
const OFFERED = (Object.keys(PROPERTIES) as Property[]).filter((property) => PROPERTIES[property] !== 'flag');

interface ConditionDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Gets the condition as the address holds it. */
  readonly onAdd: (condition: string) => void;
}

/** Asks for a condition on a property of devices. */
export function ConditionDialog({ open, onClose, onAdd }: ConditionDialogProps): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={conditionText('filter-title')}>
      <ConditionForm
        onAdd={(condition) => {
          onClose();
          onAdd(condition);
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

interface ConditionFormProps {
  readonly onAdd: (condition: string) => void;
  readonly onCancel: () => void;
}

function ConditionForm({ onAdd, onCancel }: ConditionFormProps): ReactNode {
  const [property, setProperty] = useState<Property>('osDescription');
  const kind = PROPERTIES[property];
  return (
    <Form<Field>
      onSubmit={({ operator = '', value = '' }) => {
        if (isOperator(operator)) onAdd(writeCondition({ property, operator, value: toSent(kind, value) }));
      }}
    >
      <Select
        label={conditionText('property')}
        value={property}
        onValueChange={setProperty}
        options={OFFERED.map((name) => ({ value: name, label: conditionText(`property-${name}`) }))}
      />
      <Select<string, Field>
        name="operator"
        label={conditionText('operator')}
        key={kind}
        options={operatorsFor(property).map((name) => ({ value: name, label: conditionText(`operator-${name}`) }))}
      />
      <TextField<Field>
        name="value"
        label={conditionText('value')}
        key={`value-${kind}`}
        type={kind === 'instant' ? 'date' : kind === 'text' ? 'text' : 'number'}
        hint={kind === 'share' ? conditionText('value-percent') : undefined}
        step="any"
        required
        autoComplete="off"
      />
      <FormActions>
        <Button onClick={onCancel}>{conditionText('cancel')}</Button>
        <Button type="submit" look="primary">
          {conditionText('add-filter')}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Turns a typed value into the one of the address: shares are typed in percent. */
function toSent(kind: PropertyKind, value: string): string {
  if (kind === 'share') return String(Number(value) / 100);
  // The day begins where the user is.
  return kind === 'instant' ? (fromLocalTime(`${value}T00:00`) ?? '') : value;
}
