import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, GuidList, ListOf, Name, Text } from '../../platform/http/binding/fields.js';
import { TagType } from './tag.entity.js';

/** Longest name of a tag, in characters. */
const MAXIMUM_NAME_LENGTH = 50;
const NAME = 'Name of the tag, unique within the tenant.';
const EXAMPLE_NAME = 'Workshop';

const TAG_TYPE = namesOf('TagType', TagType, {
  Unknown: 'nothing was said when the tag was created.',
  Permission: 'the tag is meant for granting permissions. The service treats it like any other.',
});

export class TagResponseDto {
  @Guid('Id of the tag.') id: string;
  @Text(NAME, { example: EXAMPLE_NAME }) name: string;
  @EnumName('Type of the tag, as it was created.', TAG_TYPE) type: TagType;
  @GuidList('Ids of the devices that carry the tag, as far as the caller may read them. Lists fill it on request only.')
  deviceIds: string[];
}

export class TagsResponseDto {
  @ListOf('The tags of the tenant, sorted by name.', () => TagResponseDto) items: TagResponseDto[];
}

export class TagsQueryDto {
  @Bool('True to list with each tag the devices that carry it.', { default: false }) includeLinkedIds: boolean;
}

export class TagCreateRequestDto {
  @Name(NAME, { max: MAXIMUM_NAME_LENGTH, example: EXAMPLE_NAME }) name: string;
  @EnumName('Type of the tag; it cannot be changed later.', TAG_TYPE, { default: TagType.Unknown }) type: TagType;
}

export class UpdateTagRequestDto {
  @Name(NAME, { max: MAXIMUM_NAME_LENGTH, example: EXAMPLE_NAME }) name: string;
}

/** The body of the internal route. */
export class RenameTagRequestDto {
  @Guid('Id of the tag.') tagId: string;
  @Name(NAME, { max: MAXIMUM_NAME_LENGTH, example: EXAMPLE_NAME }) newTagName: string;
}

export class DeviceTagAddRequestDto {
  @Guid('Id of the device that gets the tag.') deviceId: string;
  @Guid("Id of the tag; it belongs to the device's tenant.") tagId: string;
}
