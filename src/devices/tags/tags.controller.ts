import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, RequireAuthenticated, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { TagCreateRequestDto, TagResponseDto, TagsQueryDto, TagsResponseDto, UpdateTagRequestDto } from './tag.dto.js';
import { tagState, TagsService } from './tags.service.js';

const TAG_ID = 'Id of the tag.';
const UNKNOWN = 'The tenant has no such tag.';

@Group('Tags')
@TenantInQuery()
@Controller('api/v1/tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  @RequireAuthenticated()
  @Describe('List the tags', 'Every caller of the tenant sees all its tags.')
  @Answers(200, 'The tags of the tenant.', TagsResponseDto)
  list(@Context() context: TenantContext, @Query() { includeLinkedIds }: TagsQueryDto, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: includeLinkedIds ? this.tags.listWithLinks(context) : this.tags.list(context) });
  }

  @Get(':tagId')
  @Tagged(tagState)
  @RequireAuthenticated()
  @Describe('Get a tag', 'The tag, with the ids of its devices that the caller may read.')
  @Answers(200, 'The tag.', TagResponseDto, { 404: UNKNOWN })
  async get(@Context() context: TenantContext, @GuidParam('tagId', TAG_ID) tagId: string, @Res() response: Response): Promise<void> {
    return streamJson(response, await this.tags.get(context, tagId));
  }

  @Post()
  @Tagged(tagState)
  @RequireAccess(Permission.TenantTagsWrite)
  @LocatedAt('/api/v1/tags/{id}?tenantId={tenantId}')
  @Describe('Create a tag', 'No device has the new tag yet. The routes of the group DeviceTags add it to devices.')
  @Answers(201, 'The new tag.', TagResponseDto, {
    409: 'The tenant already has a tag with this name.',
  })
  create(@Context() context: TenantContext, @Body() body: TagCreateRequestDto): Promise<TagResponseDto> {
    return this.tags.create(context, body);
  }

  @Put(':tagId')
  @Tagged(tagState)
  @RequireAccess(Permission.TenantTagsWrite)
  @Describe('Rename a tag', 'Devices keep the tag under its new name. The type of a tag never changes.')
  @Answers(200, 'The tag with its new name.', TagResponseDto, {
    404: UNKNOWN,
    409: 'Another tag of the tenant has this name.',
  })
  async rename(
    @Context() context: TenantContext,
    @GuidParam('tagId', TAG_ID) tagId: string,
    @Body() body: UpdateTagRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.tags.rename(context, tagId, body.name, expected));
  }

  @Delete(':tagId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantTagsWrite)
  @Describe('Delete a tag', 'Removes the tag from all its devices. The devices stay.')
  @Answers(204, 'The tag is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('tagId', TAG_ID) tagId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.tags.remove(context, tagId, expected);
  }
}
