import { Copy, FolderOpen, Power, RotateCw, SquareTerminal, Tag as TagIcon, Trash } from 'lucide';
import { type ReactNode, useState } from 'react';

import { ProblemError } from '../src/problem/problem.js';
import { Button, IconButton } from '../src/ui/button/Button.js';
import { Checkbox } from '../src/ui/checkbox/Checkbox.js';
import { FilterChip } from '../src/ui/chip/Chip.js';
import { Confirm } from '../src/ui/confirm/Confirm.js';
import { ConfirmByName } from '../src/ui/confirm/ConfirmByName.js';
import { DeleteDialog } from '../src/ui/confirm/DeleteDialog.js';
import { RevokeDialog } from '../src/ui/confirm/RevokeDialog.js';
import { SecretDialog } from '../src/ui/copy/SecretDialog.js';
import { CsvExport } from '../src/ui/csv-export/CsvExport.js';
import type { CsvSource } from '../src/ui/csv-export/csv.js';
import { Dialog } from '../src/ui/dialog/Dialog.js';
import { Drawer } from '../src/ui/drawer/Drawer.js';
import { TextField } from '../src/ui/field/Field.js';
import { Form } from '../src/ui/form/Form.js';
import { FormActions } from '../src/ui/form/FormActions.js';
import { FormDialog } from '../src/ui/form/FormDialog.js';
import { useContextMenu } from '../src/ui/menu/ContextMenu.js';
import type { MenuEntry } from '../src/ui/menu/entries.js';
import { MenuButton } from '../src/ui/menu/MenuButton.js';
import { Popover } from '../src/ui/popover/Popover.js';
import { RenameDialog } from '../src/ui/rename/RenameDialog.js';
import { toast, toastProblem } from '../src/ui/toast/toasts.js';
import { Tooltip } from '../src/ui/tooltip/Tooltip.js';
import { LONG_NAME, Sample } from './Sample.js';

export const DEVICE_MENU: readonly MenuEntry[] = [
  { label: 'Open terminal', icon: SquareTerminal, shortcut: 't', onSelect: () => toast('Terminal') },
  { label: 'Open files', icon: FolderOpen, shortcut: 'f', onSelect: () => toast('Files') },
  { label: 'Go to device', icon: Copy, href: '/devices' },
  null,
  { label: 'Restart…', icon: RotateCw, onSelect: () => toast('Restart') },
  { label: 'Shut down…', icon: Power, disabled: true, hint: 'Missing: device.power.manage', onSelect: () => undefined },
  {
    submenu: 'Tag',
    icon: TagIcon,
    entries: [
      { label: 'server', checked: true, onCheckedChange: () => undefined },
      { label: 'critical', checked: false, onCheckedChange: () => undefined },
    ],
  },
  null,
  null,
  { group: 'Danger', entries: [{ label: 'Delete…', icon: Trash, shortcut: 'Delete', danger: true, onSelect: () => toast('Delete') }] },
];

type Shown = 'dialog' | 'wide' | 'secret' | 'confirm' | 'confirm-failed' | 'by-name' | 'export' | 'drawer' | 'drawer-wide' | null;

/** Three pages of ten rows, one a second. */
const SLOW: CsvSource<number> = {
  header: ['Row'],
  cellsOf: (row) => [row],
  async readPage(page) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return { rows: Array.from({ length: 10 }, (_, row) => page * 10 + row), total: 30 };
  },
};

export function Overlays(): ReactNode {
  const [shown, setShown] = useState<Shown>(null);
  const { openMenu, menu } = useContextMenu();
  const close = (): void => setShown(null);
  const opener = (what: Shown, label: string): ReactNode => <Button onClick={() => setShown(what)}>{label}</Button>;
  return (
    <>
      <Sample title="Dialog">
        <div className="row wrap">
          {opener('dialog', 'Dialog')}
          {opener('wide', 'Wide dialog')}
          {opener('secret', 'Shown once')}
        </div>
        <Dialog open={shown === 'dialog'} onClose={close} title={`Rename ${LONG_NAME}`} description="Only the alias changes.">
          <Form<'alias'> onSubmit={close}>
            <TextField<'alias'> name="alias" label="Alias" defaultValue="srv-01" />
            <FormActions>
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" look="primary">
                Rename
              </Button>
            </FormActions>
          </Form>
        </Dialog>
        <Dialog open={shown === 'wide'} onClose={close} title="Review 3 changes" wide>
          {Array.from({ length: 40 }, (_, index) => (
            <p key={index}>Line {index + 1} of a long content.</p>
          ))}
        </Dialog>
        <SecretDialog
          title="Key created"
          label="Key"
          value={shown === 'secret' ? 'rdm_live_8d9a1f6e2c0b4b539a550c6c7f5e1f3a8d9a1f6e2c0b4b539a550c6c7f5e1f3a' : null}
          onClose={close}
        />
      </Sample>
      <Sample title="Confirm and ConfirmByName">
        <div className="row wrap">
          {opener('confirm', 'Restart…')}
          {opener('confirm-failed', 'Failed restart')}
          {opener('by-name', 'Delete…')}
        </div>
        <Confirm open={shown === 'confirm'} onClose={close} title="Restart srv-01?" action="Restart" onConfirm={close}>
          Two users are signed in: Dana and Robin. What they did not save is lost.
        </Confirm>
        <Confirm
          open={shown === 'confirm-failed'}
          onClose={close}
          title="Restart srv-01?"
          action="Restart"
          look="danger"
          onConfirm={close}
          error={new ProblemError(409, { detail: 'The device is offline.' })}
        />
        <ConfirmByName
          open={shown === 'by-name'}
          onClose={close}
          title="Delete Acme Dental?"
          action="Delete customer"
          name="Acme Dental"
          onConfirm={close}
        >
          Its 41 devices stay and belong to no customer.
        </ConfirmByName>
      </Sample>
      <Acts />
      <Sample title="CsvExport">
        <div className="row wrap">{opener('export', 'Export 30 rows')}</div>
        {shown === 'export' && <CsvExport title="Export devices" fileName="devices" source={SLOW} onClose={close} />}
      </Sample>
      <Sample title="Drawer">
        <div className="row wrap">
          {opener('drawer', 'Drawer')}
          {opener('drawer-wide', 'Wide drawer')}
        </div>
        <Drawer open={shown === 'drawer'} onClose={close} title={LONG_NAME} description="On a phone it comes from the bottom.">
          <p>Details.</p>
        </Drawer>
        <Drawer
          open={shown === 'drawer-wide'}
          onClose={close}
          title="Add members"
          wide
          actions={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button look="primary" onClick={close}>
                Add 12
              </Button>
            </>
          }
        >
          {Array.from({ length: 60 }, (_, index) => (
            <Checkbox key={index} label={`device-${index + 1}`} />
          ))}
        </Drawer>
      </Sample>
      <Sample title="Toast">
        <div className="row wrap">
          <Button onClick={() => toast('Alias saved')}>Done</Button>
          <Button onClick={() => toast('Tag server removed from 12 devices', { undo: () => toast('Back again') })}>With Undo</Button>
          <Button onClick={() => toastProblem(new ProblemError(500, {}), { label: 'Try again', run: () => undefined })}>Failure</Button>
        </div>
      </Sample>
      <Sample title="Menu and ContextMenu">
        <div className="row wrap">
          <MenuButton label="Actions" entries={DEVICE_MENU} />
          <MenuButton label="More" hideLabel entries={() => DEVICE_MENU} />
          <MenuButton label="To a dialog" entries={[{ label: 'Delete it…', danger: true, onSelect: () => setShown('by-name') }]} />
          <MenuButton label="Disabled" entries={[]} disabled />
        </div>
        <button type="button" className="link" onContextMenu={(event) => openMenu(event, DEVICE_MENU)}>
          Right button, long press, or Shift+F10 here
        </button>
        {menu}
      </Sample>
      <Sample title="Tooltip and Popover">
        <div className="row wrap">
          <Tooltip content="Sunday, 22 November 2026, 15:52:10">
            <Button>in 5 h</Button>
          </Tooltip>
          <Tooltip content={LONG_NAME} side="bottom">
            <IconButton icon={Copy} label="Copy" />
          </Tooltip>
          <Popover trigger={<FilterChip label="State" />} title="State">
            <Checkbox label="Online" defaultChecked />
            <Checkbox label="Offline" />
          </Popover>
        </div>
      </Sample>
    </>
  );
}

const CUSTOMERS = ['Acme Dental', LONG_NAME] as const;
type Customer = (typeof CUSTOMERS)[number];
const ACTS = ['FormDialog', 'RenameDialog', 'DeleteDialog', 'RevokeDialog'] as const;

/** Waits like a service. The long name fails, to show where the reason stands. */
async function answer(customer: Customer): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 800));
  if (customer === LONG_NAME) throw new ProblemError(422, { errors: { name: ['This name is taken.'] } });
}

/** Dialogs that run what they ask about: each for a customer where it succeeds, and one where it fails. */
function Acts(): ReactNode {
  const [shown, setShown] = useState<{ readonly act: (typeof ACTS)[number]; readonly customer: Customer } | null>(null);
  const of = (act: (typeof ACTS)[number]): Customer | null => (shown?.act === act ? shown.customer : null);
  const dialog = { onClose: () => setShown(null), act: answer, onDone: (customer: Customer) => toast(`Done: ${customer}`) };
  return (
    <Sample title={ACTS.join(', ')}>
      {ACTS.map((act) => (
        <div key={act} className="row wrap">
          <Button onClick={() => setShown({ act, customer: CUSTOMERS[0] })}>{act}</Button>
          <Button onClick={() => setShown({ act, customer: CUSTOMERS[1] })}>{act} that fails</Button>
        </div>
      ))}
      <FormDialog<Customer, 'name'> {...dialog} subject={of('FormDialog')} title={(name) => `Edit ${name}`} action={() => 'Save'}>
        {(name) => <TextField<'name'> name="name" label="Name" defaultValue={name} required autoFocus />}
      </FormDialog>
      <RenameDialog<Customer, 'name'>
        field="name"
        {...dialog}
        subject={of('RenameDialog')}
        title={(name) => `Rename ${name}`}
        nameOf={(name) => name}
        maxLength={100}
      />
      <DeleteDialog
        {...dialog}
        subject={of('DeleteDialog')}
        nameOf={(name) => name}
        title={(name) => `Delete ${name}?`}
        text={() => 'Its 41 devices stay and belong to no customer.'}
        action={() => 'Delete'}
      />
      <RevokeDialog
        {...dialog}
        subject={of('RevokeDialog')}
        title={(name) => `Withdraw the invitation of ${name}?`}
        text={() => 'The link stops working at once.'}
        action={() => 'Withdraw'}
      />
    </Sample>
  );
}
