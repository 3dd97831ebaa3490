import { EnumName, namesOf } from '../binding/enum-fields.js';

/** The forms of an exported list. */
export enum ExportFormat {
  Jsonl = 'Jsonl',
  Csv = 'Csv',
}

const FORMAT = namesOf('ExportFormat', ExportFormat, {
  Jsonl: 'JSON lines: each line is an item as the list answers it.',
  Csv: 'A table with a header, separated by commas.',
});

/** The query parameter that asks for a form. */
export function ExportFormatField(): PropertyDecorator {
  return EnumName('Form of the file.', FORMAT, { default: ExportFormat.Jsonl });
}
