import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { foundDevicesQuery } from '../../api/devices/find-devices.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { Combobox } from '../../ui/combobox/Combobox.js';
import { Popover } from '../../ui/popover/Popover.js';
import css from './EventsPage.module.css';
import { t } from './texts.js';

interface DeviceFilterProps {
  /** The id of the chosen device. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Narrows the events down to those of a device, found by a part of its name. */
export function DeviceFilter({ value, onChange }: DeviceFilterProps): ReactNode {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const found = useQuery({ ...foundDevicesQuery(text), enabled: isOpen });
  const chosen = useQuery({ ...foundDevicesQuery(value ?? ''), enabled: value !== undefined });
  const current = chosen.data?.find(({ id }) => id === value);
  const shown = value === undefined ? undefined : (nameOf(current) ?? (chosen.isLoading ? '…' : value));
  return (
    <Popover
      label={t('device')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<FilterChip label={t('device')} value={shown} onRemove={() => onChange(undefined)} />}
    >
      <div className={css.picker}>
        <Combobox
          label={t('device')}
          placeholder={t('device-placeholder')}
          items={(found.data ?? []).map((device) => ({ value: device.id, label: nameOf(device) ?? device.id }))}
          value={value === undefined ? null : { value, label: shown ?? value }}
          onSearch={setText}
          busy={found.isFetching}
          error={found.error}
          onValueChange={(item) => {
            onChange(item?.value);
            setOpen(false);
          }}
        />
      </div>
    </Popover>
  );
}

function nameOf(device: { readonly alias: string | null; readonly name: string } | undefined): string | undefined {
  return device === undefined ? undefined : device.alias || device.name;
}
