import { type ReactNode, useState } from 'react';

import { refusal } from '../src/api/client.js';
import { Button } from '../src/ui/button/Button.js';
import { DeleteDialog } from '../src/ui/confirm/DeleteDialog.js';
import { RevokeDialog } from '../src/ui/confirm/RevokeDialog.js';
import { TextField } from '../src/ui/field/Field.js';
import { FormDialog } from '../src/ui/form/FormDialog.js';
import type { ShownDialogs } from './shown.js';

type Act = 'save' | 'withdraw' | 'delete';

async function run(act: Act): Promise<void> {
  const answer = await fetch(`/acts/${act}`, { method: 'POST' });
  if (!answer.ok) throw await refusal(answer, 'POST /acts');
}

/** A form, a question, and one that asks for the name. */
export function Dialogs({ subject }: ShownDialogs): ReactNode {
  const [shown, setShown] = useState<Act | null>(null);
  const of = (act: Act): string | null => (shown === act ? subject : null);
  const onClose = (): void => setShown(null);
  return (
    <main>
      <Button onClick={() => setShown('save')}>Rename…</Button>
      <Button onClick={() => setShown('withdraw')}>Withdraw…</Button>
      <Button onClick={() => setShown('delete')}>Delete…</Button>
      <FormDialog<string, 'name'>
        subject={of('save')}
        onClose={onClose}
        title={(name) => `Rename ${name}`}
        action={() => 'Save'}
        act={() => run('save')}
      >
        {(name) => <TextField<'name'> name="name" label="Name" defaultValue={name} />}
      </FormDialog>
      <RevokeDialog
        subject={of('withdraw')}
        onClose={onClose}
        title={(name) => `Withdraw the invitation for ${name}?`}
        text={() => 'The link stops working at once.'}
        action={() => 'Withdraw'}
        act={() => run('withdraw')}
      />
      <DeleteDialog
        subject={of('delete')}
        onClose={onClose}
        nameOf={(name) => name}
        title={(name) => `Delete ${name}?`}
        text={() => 'Its devices stay.'}
        action={() => 'Delete customer'}
        act={() => run('delete')}
      />
    </main>
  );
}
