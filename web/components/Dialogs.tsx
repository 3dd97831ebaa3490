import { type ReactNode, useState } from 'react';

import { refusal } from '../src/api/client.js';
import type { Versioned } from '../src/state/versioned.js';
import { Button } from '../src/ui/button/Button.js';
import { DeleteDialog } from '../src/ui/confirm/DeleteDialog.js';
import { RevokeDialog } from '../src/ui/confirm/RevokeDialog.js';
import { EditDialog } from '../src/ui/edit/EditDialog.js';
import { TextField } from '../src/ui/field/Field.js';
import { FormDialog } from '../src/ui/form/FormDialog.js';
import { Toasts } from '../src/ui/toast/Toasts.js';
import type { ShownDialogs } from './shown.js';

type Act = 'save' | 'withdraw' | 'delete' | 'edit' | 'suspend';

async function run(act: Act): Promise<void> {
  const answer = await fetch(`/acts/${act}`, { method: 'POST' });
  if (!answer.ok) throw await refusal(answer, 'POST /acts');
}

interface Stored extends Record<string, string> {
  readonly name: string;
}

async function read(): Promise<Versioned<Stored>> {
  const answer = await fetch('/stored');
  if (!answer.ok) throw await refusal(answer, 'GET /stored');
  return (await answer.json()) as Versioned<Stored>;
}

/** A form, a question, one that asks for the name, and a form and a question that notice another editor. */
export function Dialogs({ subject }: ShownDialogs): ReactNode {
  const [shown, setShown] = useState<Act | null>(null);
  const of = (act: Act): string | null => (shown === act ? subject : null);
  const onClose = (): void => setShown(null);
  return (
    <main>
      <Button onClick={() => setShown('save')}>Rename…</Button>
      <Button onClick={() => setShown('withdraw')}>Withdraw…</Button>
      <Button onClick={() => setShown('delete')}>Delete…</Button>
      <Button onClick={() => setShown('edit')}>Edit…</Button>
      <Button onClick={() => setShown('suspend')}>Suspend…</Button>
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
      <EditDialog<string, 'name'>
        subject={of('edit')}
        onClose={onClose}
        nameOf={(name) => name}
        title={(name) => `Edit ${name}`}
        of={() => ({
          read,
          async save({ name = '' }) {
            await run('edit');
            return { value: { name }, tag: null };
          },
        })}
        labelOf={() => 'Name'}
        action="Save"
      >
        {({ name }) => <TextField<'name'> name="name" label="Name" defaultValue={name} />}
      </EditDialog>
      <RevokeDialog
        subject={of('suspend')}
        onClose={onClose}
        title={(name) => `Suspend ${name}?`}
        text={() => 'Its users cannot sign in.'}
        action={() => 'Suspend'}
        checks={{ read, nameOf: (name) => name, labelOf: () => 'Name' }}
        act={() => run('suspend')}
      />
      <Toasts />
    </main>
  );
}
