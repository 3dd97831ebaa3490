import { Body, Controller, Delete, Get, HttpCode, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../authorization/access.js';
import { TextParam } from '../http/binding/route-parameters.js';
import { NoContentWhenNull } from '../http/no-content.js';
import { Answers } from '../openapi/operation.js';
import { UserStorageRequestDto, UserStorageResponseDto } from './user-storage.dto.js';
import { UserStorageService } from './user-storage.service.js';

@ApiTags('UserStorage')
@Controller('api/v1/user-storage')
@TenantInQuery()
export class UserStorageController {
  constructor(private readonly storage: UserStorageService) {}

  @Post()
  @HttpCode(200)
  @RequireAuthenticated()
  @Answers(200, '', UserStorageResponseDto)
  set(@Context() context: RequestContext, @Body() body: UserStorageRequestDto): Promise<UserStorageResponseDto> {
    return this.storage.set(context, body.key, body.value);
  }

  @Get(':key')
  @RequireAuthenticated()
  @UseInterceptors(NoContentWhenNull)
  @Answers(200, '', UserStorageResponseDto)
  @Answers(204, '', null)
  get(@Context() context: RequestContext, @TextParam('key', '', '') key: string): Promise<UserStorageResponseDto | null> {
    return this.storage.get(context, key);
  }

  @Delete(':key')
  @HttpCode(204)
  @RequireAuthenticated()
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: RequestContext, @TextParam('key', '', '') key: string): Promise<void> {
    return this.storage.remove(context, key);
  }
}
