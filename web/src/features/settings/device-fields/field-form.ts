import type { DeviceField, DeviceFieldType } from '../../../api/devices/device-fields.js';
import { type Versioned, versionAs } from '../../../state/versioned.js';
import type { FormValues } from '../../../ui/form/Form.js';
import { t } from './texts.js';

/** Limit of the service. */
export const MAXIMUM_FIELDS = 30;

/** The types in the order in which they are offered. */
export const TYPES: readonly DeviceFieldType[] = ['Text', 'Number', 'Date', 'YesNo', 'Link', 'Choice'];

/** Names of the controls. */
export type FieldName = 'name' | 'type' | 'isListed' | 'choices';

/** A field as the values of its form: the choices are lines of one text. */
export const fieldIn = (version: Versioned<DeviceField>): Versioned<FormValues<FieldName>> =>
  versionAs(version, ({ name, choices }) => ({ name, ...(choices.length > 0 ? { choices: choices.join('\n') } : {}) }));

/** The choices that were typed, one a line. */
export const choicesOf = (typed = ''): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const nameOf = ({ name }: DeviceField): string => name;
export const labelOf = (field: string): string => t(field === 'choices' ? 'choices' : 'name');
