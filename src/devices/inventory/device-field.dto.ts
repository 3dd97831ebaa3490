import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, GuidList, Int, ListOf, Name, Text, TextList } from '../../platform/http/binding/fields.js';
import { DeviceFieldType, MAXIMUM_VALUE_LENGTH } from './field-value.js';

/** Most fields that a tenant may define. */
export const MAXIMUM_FIELDS = 30;
/** Most choices of one field. */
const MAXIMUM_CHOICES = 50;
const MAXIMUM_CHOICE_LENGTH = 100;
/** Longest note of a device, in characters. */
const MAXIMUM_NOTE_LENGTH = 10_000;
/** Most devices whose values one request may ask for: more than a list shows at a time. */
const MAXIMUM_DEVICES = 500;

const NAME = 'Name of the field, unique within the tenant.';
const EXAMPLE_NAME = 'Rack';
const LISTED = 'True if lists of devices offer the field as a column.';
const CHOICES = 'The texts to choose from, in their order. Fields of other types have none.';
const EXAMPLE_CHOICE = 'Berlin';
const POSITION = 'Place among the fields of the tenant, from 0.';
const FIELD_ID = 'Id of the field.';
const VALUE =
  'The value as text: a number in decimals, a date as `YYYY-MM-DD`, `true` or `false`, an address that begins with `http://` or `https://`, or one of the choices.';
const EXAMPLE_VALUE = 'B12';
const NOTE = 'Free text about the device.';
const EXAMPLE_NOTE = 'Behind the reception. Restart only after 18:00.';

const FIELD_TYPE = namesOf('DeviceFieldType', DeviceFieldType, {
  Text: 'one text.',
  Number: 'a decimal number.',
  Date: 'a day of the calendar.',
  YesNo: 'true or false.',
  Link: 'an address on the web.',
  Choice: 'one of the choices of the field.',
});

export class DeviceFieldDto {
  @Guid(FIELD_ID) id: string;
  @Text(NAME, { example: EXAMPLE_NAME }) name: string;
  @EnumName('Type of its values.', FIELD_TYPE) type: DeviceFieldType;
  @Bool(LISTED) isListed: boolean;
  @Int(POSITION, { example: 0 }) position: number;
  @TextList(CHOICES, { maxLength: MAXIMUM_CHOICE_LENGTH, example: [EXAMPLE_CHOICE] }) choices: string[];
}

export class DeviceFieldsResponseDto {
  @ListOf('The fields of the tenant in their order.', () => DeviceFieldDto) items: DeviceFieldDto[];
}

export class CreateDeviceFieldRequestDto {
  @Name(NAME, { max: 50, example: EXAMPLE_NAME }) name: string;
  @EnumName('Type of its values; it cannot be changed later.', FIELD_TYPE) type: DeviceFieldType;
  @Bool(LISTED, { default: false }) isListed: boolean;
  @TextList(CHOICES, { max: MAXIMUM_CHOICES, maxLength: MAXIMUM_CHOICE_LENGTH, default: [], example: [EXAMPLE_CHOICE] })
  choices: string[];
}

export class UpdateDeviceFieldRequestDto {
  @Name(NAME, { max: 50, example: EXAMPLE_NAME }) name: string;
  @Bool(LISTED, { unchangedIfOmitted: true }) isListed?: boolean;
  @Int(`${POSITION} The fields behind it move.`, { min: 0, max: MAXIMUM_FIELDS - 1, unchangedIfOmitted: true, example: 0 })
  position?: number;
  @TextList(`${CHOICES} Devices keep a value that is no longer a choice.`, {
    max: MAXIMUM_CHOICES,
    maxLength: MAXIMUM_CHOICE_LENGTH,
    unchangedIfOmitted: true,
    example: [EXAMPLE_CHOICE],
  })
  choices?: string[];
}

export class DeviceFieldValueDto {
  @Guid(FIELD_ID) fieldId: string;
  @Text(VALUE, { example: EXAMPLE_VALUE }) value: string;
}

export class ChangedFieldValueDto {
  @Guid(FIELD_ID) fieldId: string;
  @Text(`${VALUE} Null or a blank text removes it.`, {
    nullable: true,
    max: MAXIMUM_VALUE_LENGTH,
    noControlCharacters: true,
    example: EXAMPLE_VALUE,
  })
  value: string | null;
}

export class DeviceNotesDto {
  @Text(NOTE, { example: EXAMPLE_NOTE }) note: string;
  @ListOf('The values of the fields that have one on this device, in the order of the fields.', () => DeviceFieldValueDto)
  values: DeviceFieldValueDto[];
}

export class ChangeDeviceNotesRequestDto {
  @Text(`${NOTE} Null or a blank text removes it.`, {
    nullable: true,
    unchangedIfOmitted: true,
    max: MAXIMUM_NOTE_LENGTH,
    example: EXAMPLE_NOTE,
  })
  note?: string | null;
  @ListOf('The values to change. Those of other fields stay.', () => ChangedFieldValueDto, { max: MAXIMUM_FIELDS, default: [] })
  values: ChangedFieldValueDto[];
}

export class ListedValuesRequestDto {
  @GuidList('Ids of the devices to read.', { max: MAXIMUM_DEVICES }) deviceIds: string[];
}

export class ListedDeviceDto {
  @Guid('Id of the device.') deviceId: string;
  @ListOf('Its values of the fields that lists show.', () => DeviceFieldValueDto) values: DeviceFieldValueDto[];
}

export class ListedValuesResponseDto {
  @ListOf('The devices that the caller may read, sorted by id.', () => ListedDeviceDto) items: ListedDeviceDto[];
}
