import { X } from 'lucide';
import type { ReactNode } from 'react';

import { formatDate, formatPercent } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { Chip } from '../../ui/chip/Chip.js';
import {
  type Condition,
  daysOf,
  type DeviceSearch,
  type DeviceSearchChange,
  readCondition,
  withoutFilters,
} from '../../model/devices/device-search.js';
import css from './DevicesPage.module.css';
import { PROPERTIES } from '../../model/devices/properties.js';
import { conditionText } from './condition-texts.js';
import { t as later } from './later-texts.js';
import { t } from '../../parts/devices/texts.js';

interface FilterChipsProps {
  readonly search: DeviceSearch;
  readonly onChange: (change: DeviceSearchChange) => void;
  readonly names: ReadonlyMap<string, string>;
}

/** Filters of the list, each with a cross. The customer has its own in the bar over every page. */
export function FilterChips({ search, onChange, names }: FilterChipsProps): ReactNode {
  const nameOf = (id: string): string => names.get(id) ?? id;
  const without = (list: readonly string[] | undefined, id: string): readonly string[] | undefined => {
    const next = list?.filter((each) => each !== id);
    return next?.length === 0 ? undefined : next;
  };
  return (
    <div className={css.chips}>
      {search.state !== undefined && <Chip label={t(search.state)} onRemove={() => onChange((now) => ({ ...now, state: undefined }))} />}
      {search.group?.map((id) => (
        <Chip
          key={id}
          label={`${later('group')}: ${nameOf(id)}`}
          onRemove={() => onChange((now) => ({ ...now, group: without(now.group, id) }))}
        />
      ))}
      {search.tag?.map((id) => (
        <Chip
          key={id}
          label={`${later('tag')}: ${nameOf(id)}`}
          onRemove={() => onChange((now) => ({ ...now, tag: without(now.tag, id) }))}
        />
      ))}
      {search.ungrouped === 'yes' && (
        <Chip label={later('ungrouped')} onRemove={() => onChange((now) => ({ ...now, ungrouped: undefined }))} />
      )}
      {search.untagged === 'yes' && (
        <Chip label={later('untagged')} onRemove={() => onChange((now) => ({ ...now, untagged: undefined }))} />
      )}
      {search.f?.map((text) => (
        <Chip key={text} label={describe(text)} onRemove={() => onChange((now) => ({ ...now, f: without(now.f, text) }))} />
      ))}
      <Button look="quiet" icon={X} onClick={() => onChange((now) => ({ ...withoutFilters(now), q: now.q }))}>
        {later('clear-filters')}
      </Button>
    </div>
  );
}

/** A condition in words. */
function describe(text: string): string {
  const condition = readCondition(text);
  if (condition === null) return text;
  return `${conditionText(`property-${condition.property}`)} ${conditionText(`operator-${condition.operator}`)} ${shownValue(condition)}`;
}

/** The value as it was typed: shares in percent, instants as days, ages in words. */
function shownValue({ property, value }: Condition): string {
  const kind = PROPERTIES[property];
  if (kind === 'share') return formatPercent(Number(value));
  const days = kind === 'instant' ? daysOf(value) : null;
  if (days !== null) return conditionText('days-ago', { count: days });
  return kind === 'instant' && !Number.isNaN(Date.parse(value)) ? formatDate(value) : value;
}
