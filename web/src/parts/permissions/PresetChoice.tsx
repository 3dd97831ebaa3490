import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { presetsQuery } from '../../api/access/permission-assignments.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';
import css from './PresetChoice.module.css';

interface PresetChoiceProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Chooses the presets whose permissions a user gets. */
export function PresetChoice({ chosen, onChange }: PresetChoiceProps): ReactNode {
  const presets = useQuery(presetsQuery);
  return (
    <fieldset className={css.presets}>
      <legend className={css.legend}>{t('presets')}</legend>
      {(presets.data ?? []).map(({ name, permissions }) => (
        <div key={name}>
          <Checkbox
            label={name}
            checked={chosen.has(name)}
            onChange={(event) =>
              onChange(new Set(event.currentTarget.checked ? [...chosen, name] : [...chosen].filter((each) => each !== name)))
            }
          />
          <details className={css.holds}>
            <summary>{t('preset-permissions', { count: permissions?.length ?? 0 })}</summary>
            <ul>
              {(permissions ?? []).map((permission) => (
                <li key={permission}>{permissionName(permission)}</li>
              ))}
            </ul>
          </details>
        </div>
      ))}
    </fieldset>
  );
}
