import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { peopleQuery } from '../../../api/devices/device-activity.js';
import type { SearchChange } from '../../../model/search-params.js';
import { Select } from '../../../ui/select/Select.js';
import { useCurrentDevice } from '../current-device.js';
import css from './ActivityTab.module.css';
import { type ActivityView, KINDS } from './kinds.js';
import { t } from './texts.js';

interface FiltersProps {
  readonly view: ActivityView;
  readonly onChange: (change: SearchChange<ActivityView>) => void;
}

/** Narrows the records down to one kind, or to one person. */
export function Filters({ view, onChange }: FiltersProps): ReactNode {
  const { device } = useCurrentDevice();
  const { data } = useQuery(peopleQuery(device.id));
  const people = data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const isListed = view.person === undefined || people.some(({ value }) => value === view.person);
  const kinds = KINDS.map((kind) => ({ value: kind, label: t(`kind-${kind}`) })).sort((a, b) => a.label.localeCompare(b.label));
  return (
    <div className={css.filters}>
      <Select
        label={t('kind')}
        hideLabel
        value={view.kind ?? ''}
        options={[{ value: '', label: t('kind-any') }, ...kinds]}
        onValueChange={(kind) => onChange((now) => ({ ...now, kind: KINDS.find((each) => each === kind) }))}
      />
      <Select
        label={t('person')}
        hideLabel
        value={view.person ?? ''}
        options={[
          { value: '', label: t('person-any') },
          ...(isListed || view.person === undefined ? [] : [{ value: view.person, label: t('person-other') }]),
          ...people,
        ]}
        onValueChange={(person) => onChange((now) => ({ ...now, person: person === '' ? undefined : person }))}
      />
    </div>
  );
}
