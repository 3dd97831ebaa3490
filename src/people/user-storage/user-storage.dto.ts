import { Text } from '../../platform/http/binding/fields.js';

/** Longest key and longest value, in characters, as the columns are defined. */
export const MAXIMUM_KEY_LENGTH = 256;
const MAXIMUM_VALUE_LENGTH = 2048;

/** The characters of a key. */
export const STORAGE_KEY = /^[a-zA-Z0-9-]+$/;

const KEY = 'Key of the text: letters, digits and hyphens.';
const EXAMPLE_KEY = 'device-grid-columns';
const EXAMPLE_VALUE = '["name","isOnline","lastSeen"]';

export class UserStorageRequestDto {
  @Text(KEY, { max: MAXIMUM_KEY_LENGTH, pattern: STORAGE_KEY, example: EXAMPLE_KEY }) key: string;
  @Text('The text to store.', { max: MAXIMUM_VALUE_LENGTH, example: EXAMPLE_VALUE }) value: string;
  @Text('The text that has to be stored now, empty for none. Null replaces any.', {
    nullable: true,
    max: MAXIMUM_VALUE_LENGTH,
    example: '["name","isOnline"]',
  })
  replaces: string | null;
}

export class UserStorageResponseDto {
  @Text(KEY, { example: EXAMPLE_KEY }) key: string;
  @Text('The stored text.', { nullable: true, example: EXAMPLE_VALUE }) value: string | null;
}
