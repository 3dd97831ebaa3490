import type { ReactNode } from 'react';

import { portOf } from '../../../live/sessions/screen/port.js';
import { t } from '../../../live/sessions/screen/texts.js';
import { Button, type ButtonLook } from '../../../ui/button/Button.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form } from '../../../ui/form/Form.js';
import css from './ScreenPanel.module.css';

interface PortFormProps {
  readonly port: number;
  /** The words on the button. */
  readonly action: string;
  /** `primary` where it is the one main act. */
  readonly look: ButtonLook;
  readonly onConnect: (port: number) => void;
}

/** Asks for the port of the VNC server. */
export function PortForm({ port, action, look, onConnect }: PortFormProps): ReactNode {
  return (
    <Form<'port'> className={css.form} onSubmit={(values) => onConnect(portOf(values.port))}>
      <TextField<'port'>
        name="port"
        label={t('port')}
        hint={t('port-hint')}
        type="number"
        min={1}
        max={65_535}
        required
        defaultValue={String(port)}
      />
      <Button type="submit" look={look}>
        {action}
      </Button>
    </Form>
  );
}
