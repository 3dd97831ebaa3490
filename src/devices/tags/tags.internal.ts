import { Body, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { RenameTagRequestDto } from './tag.dto.js';
import { TagsController } from './tags.controller.js';

export class TagsInternalController extends internalTwinOf(TagsController, 'api/tags', {
  list: { bareList: true },
  create: { status: 200 },
  remove: {},
}) {
  @TwinOf(TagsController, 'rename')
  @Put()
  renameNamed(@Context() context: TenantContext, @Body() body: RenameTagRequestDto, @Res() response: Response): Promise<void> {
    return this.rename(context, body.tagId, { name: body.newTagName }, undefined, response);
  }
}
