import { type ReactNode, useState } from 'react';

import { permissionName, permissionsWithNames } from '../../i18n/permission-names.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { Combobox } from '../../ui/combobox/Combobox.js';
import { Popover } from '../../ui/popover/Popover.js';
import css from './ChangeLogPage.module.css';
import { t } from './texts.js';

interface PermissionFilterProps {
  readonly value: string | undefined;
  readonly onChange: (permission: string | undefined) => void;
}

/** Narrows the log down to a permission, found by its display name or by its name for programs. */
export function PermissionFilter({ value, onChange }: PermissionFilterProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const shown = value === undefined ? undefined : permissionName(value);
  return (
    <Popover
      label={t('permission')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<FilterChip label={t('permission')} value={shown} onRemove={() => onChange(undefined)} />}
    >
      <div className={css.period}>
        <Combobox
          label={t('permission')}
          items={permissionsWithNames.map((name) => ({ value: name, label: permissionName(name), detail: name }))}
          value={value === undefined ? null : { value, label: shown ?? value }}
          onValueChange={(item) => {
            onChange(item?.value);
            setOpen(false);
          }}
        />
      </div>
    </Popover>
  );
}
