import { type ReactNode, useState } from 'react';

import { Button } from '../button/Button.js';
import { type ComboboxItem, MultiCombobox } from '../combobox/Combobox.js';
import { useSend } from '../dialog/use-send.js';
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
  /** Sends the values of the items that were chosen. The dialog closes when that succeeded; a refusal is shown in it. */
  readonly act: (values: string[]) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form of a dialog in which some of many things are chosen, to be added to another. */
export function ChooseForm<Name extends string = never>({ name, label, choices, submit, act, onClose }: ChooseFormProps<Name>): ReactNode {
  const [chosen, setChosen] = useState<ComboboxItem[]>([]);
  const { send, isSending, error } = useSend(act, onClose);
  return (
    <Form error={error} onSubmit={() => send(chosen.map(({ value }) => value))}>
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
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending} disabled={chosen.length === 0}>
          {submit}
        </Button>
      </FormActions>
    </Form>
  );
}
