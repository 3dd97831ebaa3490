import { Text } from '../../platform/http/binding/fields.js';

/** Longest notes of a device group, in characters. */
const MAXIMUM_LENGTH = 2_000;

const NOTES = 'Free text about the group.';
const EXAMPLE = 'Restart these servers one by one, after 22:00.';

export class DeviceGroupNotesDto {
  @Text(NOTES, { example: EXAMPLE }) notes: string;
}

export class ChangeDeviceGroupNotesRequestDto {
  @Text(`${NOTES} Null or a blank text removes it.`, { nullable: true, max: MAXIMUM_LENGTH, example: EXAMPLE }) notes: string | null;
}
