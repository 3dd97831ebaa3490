import { Body, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { WITHOUT_BODY } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { RenameTagRequestDto } from './tag.dto.js';
import { TagsController } from './tags.controller.js';

const failures = { 404: WITHOUT_BODY };

export class TagsInternalController extends internalTwinOf(TagsController, 'api/tags', {
  list: { bareList: true },
  create: { status: 200 },
  remove: { failures },
}) {
  @TwinOf(TagsController, 'rename', { failures })
  @Put()
  renameNamed(@Context() context: TenantContext, @Body() body: RenameTagRequestDto, @Res() response: Response): Promise<void> {
    return this.rename(context, body.tagId, { name: body.newTagName }, undefined, response);
  }
}
