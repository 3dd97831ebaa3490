import { type ReactNode, useState } from 'react';

import { Button } from '../button/Button.js';
import { type ComboboxItem, MultiCombobox } from '../combobox/Combobox.js';
import { t } from '../later-texts.js';
import { Form } from './Form.js';
import { FormActions } from './FormActions.js';

interface ChooseFormProps<Name extends string> {
  /** Name of the field in the service's errors. */
  readonly name: NoInfer<Name>;
  /** Name of the choices: "Users". */
  readonly label: string;
  readonly choices: {
    readonly items: readonly ComboboxItem[];
    readonly isPending: boolean;
    readonly error: unknown;
  };
  /** Text of the button that sends the choice. */
  readonly submit: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** Gets the values of the items that were chosen. */
  readonly onSubmit: (values: string[]) => void;
  readonly onCancel: () => void;
}

/** The form of a dialog in which some of many things are chosen, to be added to another. */
export function ChooseForm<Name extends string = never>({
  name,
  label,
  choices,
  submit,
  busy,
  error,
  onSubmit,
  onCancel,
}: ChooseFormProps<Name>): ReactNode {
  const [chosen, setChosen] = useState<ComboboxItem[]>([]);
  return (
    <Form error={error} onSubmit={() => onSubmit(chosen.map(({ value }) => value))}>
      <MultiCombobox<Name>
        name={name}
        label={label}
        items={choices.items}
        value={chosen}
        onValueChange={setChosen}
        busy={choices.isPending}
        error={choices.error}
      />
      <FormActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={chosen.length === 0}>
          {submit}
        </Button>
      </FormActions>
    </Form>
  );
}
