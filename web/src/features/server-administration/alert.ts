import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';
import { readServerAlert, saveServerAlert, type ServerAlert, type Severity, type StoredAlert } from '../../api/system/server.js';
import { t } from './texts.js';
import type { Schemas } from '../../model/schemas.js';

/** Fields of the alert form. */
export type AlertField = keyof Schemas['ServerAlertRequestDto'];

const BOXES = ['isDismissable', 'isSticky', 'isEnabled'] as const;

const isBox = (field: string): field is (typeof BOXES)[number] => BOXES.some((box) => box === field);

const formOf = (alert: StoredAlert): FormValues<AlertField> => ({
  message: alert.message ?? '',
  severity: alert.severity,
  ...Object.fromEntries(BOXES.map((box) => [box, alert[box] ? 'on' : ''])),
});

/** Initial values of the alert form. */
export const alertForm = (stored: Versioned<StoredAlert>): Versioned<FormValues<AlertField>> => versionAs(stored, formOf);

/** The alert that stands in a form. */
export const alertIn = ({ message = '', severity, ...boxes }: FormValues<AlertField>): ServerAlert => ({
  message,
  severity: severity as Severity,
  isDismissable: boxes.isDismissable === 'on',
  isSticky: boxes.isSticky === 'on',
  isEnabled: boxes.isEnabled === 'on',
});

/** All values of the form: browsers leave out boxes that are not checked. */
export const allOfAlert = (sent: FormValues<AlertField>): FormValues<AlertField> => ({
  ...Object.fromEntries(BOXES.map((box) => [box, ''])),
  ...sent,
});

/** Label of a field of the form. */
export function alertLabel(field: string): string {
  if (field === 'isDismissable') return t('dismissable');
  if (field === 'isSticky') return t('sticky');
  if (field === 'isEnabled') return t('enabled');
  return t(field === 'severity' ? field : 'message');
}

/** Display text for the value of a field. */
export function alertText(field: string, value: string): string {
  if (isBox(field)) return t(value === 'on' ? 'yes' : 'no');
  return field === 'severity' ? t(`severity-${value as Severity}`) : value;
}

/** The alert, as a form changes it. */
export const ALERT: Editable<AlertField> = {
  read: async () => alertForm(await readServerAlert()),
  save: async (values, tag) => alertForm(await saveServerAlert(alertIn(values), tag)),
};
