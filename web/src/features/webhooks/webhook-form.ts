import { readWebhook, type Webhook, updateWebhook, type WebhookValues } from '../../api/system/webhooks.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import type { FormValues } from '../../ui/form/Form.js';
import { t } from './texts.js';
import { kindsOf, nameOf } from './words.js';

export type Field = keyof WebhookValues;

/** The kinds that the text of a form names. */
export const kindsIn = (text: string): string[] => text.split(',').filter((kind) => kind !== '');

const formOf = ({ url, kinds }: Pick<Webhook, Field>): FormValues<Field> => ({ url, kinds: [...kinds].sort().join(',') });

/** The values of a form, as the service takes them. */
export const valuesOf = ({ url = '', kinds = '' }: FormValues<Field>): WebhookValues => ({ url: url.trim(), kinds: kindsIn(kinds) });

export const labelOf = (field: string): string => t(field === 'kinds' ? 'kinds' : 'url');
export const textOf = (field: string, value: string): string => (field === 'kinds' ? kindsOf(kindsIn(value)) : value);

const read = async (id: string): Promise<Versioned<FormValues<Field>>> => versionAs(await readWebhook(id), formOf);

/** A webhook as its form changes it. */
export const editable = ({ id }: Pick<Webhook, 'id'>): Editable<Field> => ({
  read: () => read(id),
  save: async (values, tag) => versionAs(await updateWebhook(id, valuesOf(values), tag), formOf),
});

/** Reads a webhook before it is deleted. */
export const CHECKS: Checks<Webhook> = { read: ({ id }) => read(id), nameOf, labelOf };
