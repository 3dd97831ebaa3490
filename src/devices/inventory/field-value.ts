/** Kinds of values that a field of devices may have. */
export enum DeviceFieldType {
  Text = 'Text',
  Number = 'Number',
  Date = 'Date',
  YesNo = 'YesNo',
  Link = 'Link',
  Choice = 'Choice',
}

/** Longest value of a field, in characters. */
export const MAXIMUM_VALUE_LENGTH = 1_000;

/** The parts of a field that decide about its values. */
interface FieldRules {
  readonly name: string;
  readonly type: DeviceFieldType;
  readonly choices: readonly string[];
}

/** A value in its stored form, or a sentence that says what is wrong with it. */
export type ReadValue = { readonly value: string } | { readonly problem: string };

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the value that a caller gives to a field. */
export function readFieldValue(field: FieldRules, given: string): ReadValue {
  const text = given.trim();
  const problem = (rule: string): ReadValue => ({ problem: `The value of "${field.name}" must be ${rule}.` });
  switch (field.type) {
    case DeviceFieldType.Text:
      return { value: text };
    case DeviceFieldType.Number:
      return NUMBER.test(text) ? { value: String(Number(text)) } : problem('a number, such as 12 or 3.5');
    case DeviceFieldType.Date:
      return isDay(text) ? { value: text } : problem('a date in the form YYYY-MM-DD');
    case DeviceFieldType.YesNo:
      return ['true', 'false'].includes(text.toLowerCase()) ? { value: text.toLowerCase() } : problem('true or false');
    case DeviceFieldType.Link:
      return isHttpAddress(text) ? { value: text } : problem('an address that begins with http:// or https://');
    case DeviceFieldType.Choice:
      return field.choices.includes(text) ? { value: text } : problem(`one of ${field.choices.join(', ')}`);
  }
}

/** Checks that the month has the day: JavaScript would read 31 February as 3 March. */
function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Checks that a browser can follow the link, and that it runs nothing: other schemes could. */
function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
