import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../../access/can.js';
import { Button } from '../../../ui/button/Button.js';
import { Combobox, type ComboboxItem } from '../../../ui/combobox/Combobox.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { Select } from '../../../ui/select/Select.js';
import { deviceScopesQuery, scopesQuery } from '../scopes.js';
import { t } from '../texts.js';
import type { ScopeKind } from '../../../model/permissions/scopes.js';
import type { PickedScope } from './columns.js';

interface ScopePickerProps {
  /** True if the server can be picked. */
  readonly mayServer: boolean;
  readonly onPick: (scope: PickedScope) => void;
  readonly onClose: () => void;
}

export type PickedKind = Exclude<ScopeKind, 'Tenant'>;

/** The kinds whose names the user may read, and the server if it can be picked. */
export function usePickableKinds(mayServer: boolean): readonly PickedKind[] {
  const mayReadCustomers = useCan('tenant.customers.read');
  const mayReadDeviceGroups = useCan('tenant.device-groups.read');
  const mayReadUserGroups = useCan('tenant.user-groups.read');
  return [
    ...(mayReadCustomers ? (['CustomerTenant'] as const) : []),
    ...(mayReadDeviceGroups ? (['DeviceGroup'] as const) : []),
    // Of devices the service lists those that the user may read.
    'Device',
    ...(mayReadUserGroups ? (['UserGroup'] as const) : []),
    ...(mayServer ? (['Server'] as const) : []),
  ];
}

/** Picks a customer, a group, a device or the server. */
export function ScopePicker({ mayServer, onPick, onClose }: ScopePickerProps): ReactNode {
  const kinds = usePickableKinds(mayServer);
  const [kind, setKind] = useState<PickedKind>(kinds[0]);
  const [item, setItem] = useState<ComboboxItem | null>(null);
  const pick = (): void => {
    if (kind === 'Server') onPick({ scope: { kind, id: null }, name: t('kind-Server') });
    else if (item !== null) onPick({ scope: { kind, id: item.value }, name: item.label });
  };
  return (
    <Form onSubmit={pick}>
      <Select
        label={t('kind')}
        options={kinds.map((value) => ({ value, label: t(`kind-${value}`) }))}
        value={kind}
        onValueChange={(next) => {
          setKind(next);
          setItem(null);
        }}
      />
      {kind !== 'Server' && <ScopeField key={kind} kind={kind} value={item} onValueChange={setItem} />}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" disabled={kind !== 'Server' && item === null}>
          {t('add')}
        </Button>
      </FormActions>
    </Form>
  );
}

interface ScopeFieldProps {
  readonly kind: Exclude<PickedKind, 'Server'>;
  readonly value: ComboboxItem | null;
  readonly onValueChange: (item: ComboboxItem | null) => void;
}

/** One customer, group or device, found by its name. */
export function ScopeField({ kind, ...field }: ScopeFieldProps): ReactNode {
  return kind === 'Device' ? <DeviceField {...field} /> : <ListField kind={kind} {...field} />;
}

const itemsOf = (scopes: readonly { readonly id: string; readonly name: string }[] = []): ComboboxItem[] =>
  scopes.map(({ id, name }) => ({ value: id, label: name }));

function DeviceField(field: Omit<ScopeFieldProps, 'kind'>): ReactNode {
  const [text, setText] = useState('');
  const devices = useQuery(deviceScopesQuery(text));
  return (
    <Combobox
      label={t('kind-Device')}
      items={itemsOf(devices.data)}
      onSearch={setText}
      busy={devices.isFetching}
      error={devices.error}
      {...field}
    />
  );
}

function ListField({
  kind,
  ...field
}: Omit<ScopeFieldProps, 'kind'> & { readonly kind: Exclude<PickedKind, 'Server' | 'Device'> }): ReactNode {
  const scopes = useQuery(scopesQuery(kind));
  return <Combobox label={t(`kind-${kind}`)} items={itemsOf(scopes.data)} busy={scopes.isPending} error={scopes.error} {...field} />;
}
