import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { presetsQuery } from '../../api/access/permission-assignments.js';
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
        <Checkbox
          key={name}
          label={name}
          hint={t('preset-permissions', { count: permissions?.length ?? 0 })}
          checked={chosen.has(name)}
          onChange={(event) =>
            onChange(new Set(event.currentTarget.checked ? [...chosen, name] : [...chosen].filter((each) => each !== name)))
          }
        />
      ))}
    </fieldset>
  );
}
