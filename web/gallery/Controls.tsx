import { Plus, RotateCw, Trash } from 'lucide';
import { type ReactNode, useState } from 'react';

import { ProblemError } from '../src/problem/problem.js';
import { Button, IconButton } from '../src/ui/button/Button.js';
import { Checkbox } from '../src/ui/checkbox/Checkbox.js';
import { Chip, FilterChip, ToggleChip } from '../src/ui/chip/Chip.js';
import { Combobox, type ComboboxItem, MultiCombobox } from '../src/ui/combobox/Combobox.js';
import { DateTime } from '../src/ui/date-time/DateTime.js';
import { PasswordField, TextArea, TextField } from '../src/ui/field/Field.js';
import { SearchField } from '../src/ui/field/SearchField.js';
import { Form } from '../src/ui/form/Form.js';
import { FormActions } from '../src/ui/form/FormActions.js';
import { LinkButton } from '../src/ui/link-button/LinkButton.js';
import { OtpField } from '../src/ui/otp-field/OtpField.js';
import { RadioGroup } from '../src/ui/radio-group/RadioGroup.js';
import { Select } from '../src/ui/select/Select.js';
import { Switch } from '../src/ui/switch/Switch.js';
import { toast } from '../src/ui/toast/toasts.js';
import { LONG_NAME, Sample } from './Sample.js';

const CUSTOMERS: readonly ComboboxItem[] = ['Acme Dental', 'Cedar School', 'Delta Foods', 'Northwind', LONG_NAME].map((label, index) => ({
  value: String(index),
  label,
  detail: index === 3 ? '1,204 devices' : undefined,
}));

const REFUSED = new ProblemError(400, {
  title: 'One or more validation errors occurred.',
  errors: {
    Name: ['The name is taken by another customer.'],
    Note: ['At most 100 characters.', 'No control characters.'],
    Kind: ['This kind may not be chosen here.'],
    Customer: ['The customer was deleted.'],
    Agree: ['This has to be agreed to.'],
    Elsewhere: ['A sentence about a field that this form does not have.'],
  },
});

export function Controls(): ReactNode {
  return (
    <>
      <Sample title="Button">
        <div className="row wrap">
          <Button look="primary" icon={Plus}>
            Add device
          </Button>
          <Button icon={RotateCw}>Refresh</Button>
          <Button look="quiet">Discard</Button>
          <Button look="danger" icon={Trash}>
            Delete…
          </Button>
          <LinkButton to="/devices">A link</LinkButton>
        </div>
        <div className="row wrap">
          <Button look="primary" disabled>
            Disabled
          </Button>
          <Button disabled>Disabled</Button>
          <Button look="quiet" disabled>
            Disabled
          </Button>
          <Button look="danger" disabled>
            Disabled
          </Button>
        </div>
        <div className="row wrap">
          <Button look="primary" busy>
            Saving
          </Button>
          <Button busy>Saving</Button>
          <IconButton icon={RotateCw} label="Refresh" />
          <IconButton icon={Trash} label="Delete" look="danger" />
          <IconButton icon={Trash} label="Delete" disabled />
          <IconButton icon={RotateCw} label="Small" small />
        </div>
        <Button wide>As wide as its place</Button>
      </Sample>
      <Sample title="Fields">
        <TextField label="Name" hint="At most 100 characters." defaultValue="srv-01" />
        <TextField label="Placeholder" placeholder="name@example.com" type="email" />
        <TextField label="Disabled" defaultValue={LONG_NAME} disabled />
        <TextField label="Number" type="number" defaultValue="25" />
        <PasswordField label="Password" defaultValue="correct horse" />
        <TextArea label="Notes" defaultValue={'Two lines\nof notes'} />
      </Sample>
      <Sample title="Fields with the service's errors">
        <FormWithErrors />
      </Sample>
      <Sample title="SearchField">
        <SearchSample />
      </Sample>
      <Sample title="Checkbox">
        <Checkbox label="Stay signed in" defaultChecked />
        <Checkbox label="Not chosen" hint="What it means, in a sentence." />
        <Checkbox label="Some of them" indeterminate />
        <Checkbox label="Disabled" disabled />
        <Checkbox label="Disabled, chosen" disabled defaultChecked />
        <Checkbox label={LONG_NAME} />
      </Sample>
      <Sample title="Switch">
        <SwitchSample />
      </Sample>
      <Sample title="RadioGroup">
        <RadioGroup
          label="Access"
          defaultValue="restricted"
          options={[
            { value: 'restricted', label: 'Restricted', hint: 'Only what its assignments allow.' },
            { value: 'unrestricted', label: 'Unrestricted', hint: 'Everything on this server, whatever its assignments say.' },
            { value: 'owner', label: 'Not here', disabled: true },
          ]}
        />
      </Sample>
      <Sample title="Select">
        <Select
          label="Type"
          defaultValue="b"
          options={[
            { value: 'a', label: 'Use limited' },
            { value: 'b', label: 'Expires' },
            { value: 'c', label: LONG_NAME },
          ]}
        />
        <Select label="Disabled" disabled options={[{ value: 'a', label: 'Use limited' }]} />
      </Sample>
      <Sample title="Combobox">
        <ComboboxSample />
      </Sample>
      <Sample title="DateTime">
        <DateTime label="Expires" value="2026-12-24T17:00:00.000Z" onValueChange={() => undefined} />
        <DateTime label="Empty" value={null} onValueChange={() => undefined} />
      </Sample>
      <Sample title="OtpField">
        <Form<'code'> onSubmit={({ code }) => toast(`Submitted ${code}`)}>
          <OtpField<'code'> name="code" label="Code" hint="Six digits; they may be pasted with spaces." />
        </Form>
      </Sample>
      <Sample title="Chip, FilterChip, ToggleChip">
        <div className="row wrap">
          <Chip label="Acme Dental" onRemove={() => undefined} />
          <Chip label={LONG_NAME} onRemove={() => undefined} />
          <Chip label="Fixed" />
        </div>
        <div className="row wrap">
          <FilterChip label="State" />
          <FilterChip label="Customer" value="Acme Dental" onRemove={() => undefined} />
          <FilterChip label="Tag" value={LONG_NAME} onRemove={() => undefined} />
          <FilterChip label="Disabled" disabled />
          <ToggleChip pressed>Only mine</ToggleChip>
          <ToggleChip pressed={false}>Outdated</ToggleChip>
        </div>
      </Sample>
    </>
  );
}

type Field = 'name' | 'note' | 'kind' | 'customer' | 'agree';

function FormWithErrors(): ReactNode {
  const [customer, setCustomer] = useState<ComboboxItem | null>(null);
  return (
    <Form<Field> error={REFUSED} onSubmit={() => undefined}>
      <TextField<Field> name="name" label="Name" defaultValue="Acme Dental" />
      <TextArea<Field> name="note" label="Note" />
      <Select<string, Field> name="kind" label="Kind" options={[{ value: 'a', label: 'Use limited' }]} />
      <Combobox<Field> name="customer" label="Customer" items={CUSTOMERS} value={customer} onValueChange={setCustomer} />
      <Checkbox<Field> name="agree" label="I have read this" />
      <FormActions>
        <Button>Cancel</Button>
        <Button type="submit" look="primary">
          Save
        </Button>
      </FormActions>
    </Form>
  );
}

function SearchSample(): ReactNode {
  const [text, setText] = useState('srv');
  return (
    <>
      <SearchField label="Search devices" value={text} onSearch={setText} />
      <SearchField label="Disabled" value="" onSearch={() => undefined} disabled isMain={false} />
      <p className="meta">Searched: {text === '' ? 'nothing' : text}</p>
    </>
  );
}

function SwitchSample(): ReactNode {
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Switch label="Tell users when a session starts" hint="They see who it is and may refuse." checked={isOn} onCheckedChange={setOn} />
      <Switch label="Off" checked={false} onCheckedChange={() => undefined} />
      <Switch label="Busy" busy checked onCheckedChange={() => undefined} />
      <Switch label="Disabled" disabled checked={false} onCheckedChange={() => undefined} />
      <Switch label="Disabled, on" disabled checked onCheckedChange={() => undefined} />
    </>
  );
}

function ComboboxSample(): ReactNode {
  const [one, setOne] = useState<ComboboxItem | null>(CUSTOMERS[0]);
  const [some, setSome] = useState<ComboboxItem[]>([CUSTOMERS[1], CUSTOMERS[4]]);
  const [found, setFound] = useState<readonly ComboboxItem[]>([]);
  const [distant, setDistant] = useState<ComboboxItem | null>(null);
  return (
    <>
      <Combobox label="Customer" items={CUSTOMERS} value={one} onValueChange={setOne} placeholder="Any customer" />
      <MultiCombobox label="Customers" items={CUSTOMERS} value={some} onValueChange={setSome} />
      <Combobox
        label="Searched elsewhere"
        items={found}
        value={distant}
        onValueChange={setDistant}
        onSearch={(text) => setFound(CUSTOMERS.filter(({ label }) => text !== '' && label.toLowerCase().includes(text.toLowerCase())))}
      />
      <Combobox label="Disabled" items={CUSTOMERS} value={CUSTOMERS[1]} onValueChange={setOne} disabled />
    </>
  );
}
