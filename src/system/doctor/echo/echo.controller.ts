import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AllowAnonymous } from '../../../access/authorization/guard/access.js';
import { NotDescribed } from '../../openapi/operation.js';
import type { EchoAnswer } from './echo-answer.js';
import { Echo } from './echo.js';
import { EARLY_PARAMETER } from './echo-token.js';

/** Requests of the doctor to itself, by way of the public address. Every other caller is answered 404. */
@NotDescribed()
@Controller('account/doctor/echo')
export class EchoController {
  constructor(private readonly echo: Echo) {}

  /** The headers that arrived. */
  @Get()
  @AllowAnonymous()
  headers(@Req() request: Request): EchoAnswer {
    return this.echo.answer(request);
  }

  /** The length of the body that arrived, or an answer before the body. */
  @Post()
  @HttpCode(200)
  @AllowAnonymous()
  async body(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<EchoAnswer> {
    const answer = this.echo.answer(request);
    if (request.query[EARLY_PARAMETER] === undefined) return { ...answer, bytes: await this.echo.lengthOf(request) };
    // The rest of the body is not read.
    response.setHeader('Connection', 'close');
    return answer;
  }
}
