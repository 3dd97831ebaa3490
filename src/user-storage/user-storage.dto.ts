import { Text } from '../http/binding/fields.js';

/** Longest key and longest value, in characters: what the columns hold. */
export const MAXIMUM_KEY_LENGTH = 256;
const MAXIMUM_VALUE_LENGTH = 2048;

/** What a key consists of. */
export const STORAGE_KEY = /^[a-zA-Z0-9-]+$/;

export class UserStorageRequestDto {
  @Text('', { max: MAXIMUM_KEY_LENGTH, pattern: STORAGE_KEY }) key: string;
  @Text('', { max: MAXIMUM_VALUE_LENGTH }) value: string;
}

export class UserStorageResponseDto {
  @Text('') key: string;
  @Text('', { nullable: true }) value: string | null;
}
