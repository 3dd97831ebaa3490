import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, RequireAuthenticated, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers } from '../openapi/answers.js';
import { TagCreateRequestDto, TagResponseDto, TagsQueryDto, TagsResponseDto, UpdateTagRequestDto } from './tag.dto.js';
import { TagsService } from './tags.service.js';

@ApiTags('Tags')
@TenantInQuery()
@Controller('api/v1/tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  @RequireAuthenticated()
  @Answers(200, TagsResponseDto)
  async list(@Context() context: TenantContext, @Query() { includeLinkedIds }: TagsQueryDto): Promise<TagsResponseDto> {
    return { items: await (includeLinkedIds ? this.tags.listWithLinks(context) : this.tags.list(context)) };
  }

  @Get(':tagId')
  @RequireAuthenticated()
  @Answers(200, TagResponseDto, [404])
  get(@Context() context: TenantContext, @GuidParam('tagId') tagId: string): Promise<TagResponseDto> {
    return this.tags.get(context, tagId);
  }

  @Post()
  @RequireAccess(Permission.TenantTagsWrite)
  @Answers(201, TagResponseDto, [404, 409])
  create(@Context() context: TenantContext, @Body() body: TagCreateRequestDto): Promise<TagResponseDto> {
    return this.tags.create(context, body);
  }

  @Put(':tagId')
  @RequireAccess(Permission.TenantTagsWrite)
  @Answers(200, TagResponseDto, [404, 409])
  rename(@Context() context: TenantContext, @GuidParam('tagId') tagId: string, @Body() body: UpdateTagRequestDto): Promise<TagResponseDto> {
    return this.tags.rename(context, tagId, body.name);
  }

  @Delete(':tagId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantTagsWrite)
  @Answers(204, null, [404])
  remove(@Context() context: TenantContext, @GuidParam('tagId') tagId: string): Promise<void> {
    return this.tags.remove(context, tagId);
  }
}
