import { Bool, EnumName, Guid, GuidList, ListOf, Text } from '../http/binding/fields.js';
import { TagType } from './tag.entity.js';

/** Longest name of a tag, in characters. */
const MAXIMUM_NAME_LENGTH = 50;

export class TagResponseDto {
  @Guid() id: string;
  @Text() name: string;
  @EnumName(TagType, { name: 'TagType' }) type: TagType;
  @GuidList({ description: 'The devices that carry the tag and that the caller may read. Lists fill it on request only.' })
  deviceIds: string[];
}

export class TagsResponseDto {
  @ListOf(() => TagResponseDto) items: TagResponseDto[];
}

export class TagsQueryDto {
  @Bool({ default: false, description: 'Whether each tag lists the devices that carry it.' }) includeLinkedIds: boolean;
}

export class TagCreateRequestDto {
  @Text({ max: MAXIMUM_NAME_LENGTH, notBlank: true }) name: string;
  @EnumName(TagType, { name: 'TagType', default: TagType.Unknown }) type: TagType;
}

export class UpdateTagRequestDto {
  @Text({ max: MAXIMUM_NAME_LENGTH, notBlank: true }) name: string;
}

export class DeviceTagAddRequestDto {
  @Guid() deviceId: string;
  @Guid() tagId: string;
}
