import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { Combobox, type ComboboxItem, MultiCombobox } from '../../ui/combobox/Combobox.js';
import { TextField } from '../../ui/field/Field.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { INSTANCE } from './install-command.js';
import { mayTagQuery } from '../../api/devices/deployment-options.js';
import { t } from './texts.js';

/** Settings of new devices besides the agent. */
export interface DeployOptions {
  readonly tagIds: readonly string[];
  readonly instanceId: string;
  readonly customerId: string | null;
}

interface OptionsProps {
  readonly options: DeployOptions;
  /** Gets what the user changed. */
  readonly onChange: (change: Partial<DeployOptions>) => void;
}

const itemOf = ({ id, name }: { readonly id: string; readonly name: string }): ComboboxItem => ({ value: id, label: name });

/** Asks for the customer, the tags and the instance of new devices, as far as the user may choose them. */
export function Options({ options, onChange }: OptionsProps): ReactNode {
  const mayInstall = useCan('agent.install');
  const mayAssign = useCan('tenant.customers.write');
  const choices = [
    useQuery({ ...listQuery('customers'), enabled: mayAssign }),
    useQuery(listQuery('tags')),
    useQuery({ ...mayTagQuery(options.customerId), enabled: mayInstall }),
  ] as const;
  const [{ data: customers = [] }, { data: tags = [] }, { data: mayTag }] = choices;
  const failed = choices.filter(({ isError }) => isError);
  const items = tags.map(itemOf);
  return (
    <>
      {failed.length > 0 && (
        <ErrorState
          error={failed[0].error}
          onRetry={() => {
            for (const choice of failed) void choice.refetch();
          }}
        />
      )}
      {mayAssign && customers.length > 0 && (
        <Combobox
          label={t('customer')}
          hint={t('customer-hint')}
          items={customers.map(itemOf)}
          value={customers.filter(({ id }) => id === options.customerId).map(itemOf)[0] ?? null}
          onValueChange={(item) => onChange({ customerId: item?.value ?? null })}
        />
      )}
      {mayTag === true && items.length > 0 && (
        <MultiCombobox
          label={t('tags')}
          items={items}
          value={items.filter(({ value }) => options.tagIds.includes(value))}
          onValueChange={(chosen) => onChange({ tagIds: chosen.map(({ value }) => value) })}
        />
      )}
      <TextField
        label={t('instance')}
        hint={t('instance-hint')}
        value={options.instanceId}
        onChange={({ currentTarget: { value } }) => onChange({ instanceId: value.trim() })}
        maxLength={50}
        pattern={INSTANCE}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}
