import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQueryOrOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { CallerSignal } from '../../platform/http/connections/caller-signal.js';
import { beginFollowing } from '../../platform/http/connections/fair-shares.js';
import { Answers, Describe, Group, bytes } from '../openapi/operation.js';
import { sendEventStream } from './event-stream.js';
import { EventsQueryDto, EventsResponseDto, EventStreamQueryDto } from './event.dto.js';
import { EventsService } from './events.service.js';

const ERRORS = {
  404: 'The tenant has no such event.',
  410: 'Events behind `after` were removed, because they were too old. `oldestId` of the body names the oldest that is left.',
  503: 'Too many requests of the caller or its tenant wait for events.',
};
const ORDER = 'Events come in the order in which they became visible; none comes before one that was read.';
const RIGHTS = 'Events of a device are for those who may read the device. Rights are checked again while the request lasts.';

@Group('Events')
@TenantInQueryOrOfCaller()
@Controller('api/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @RequireAccess(Permission.TenantEventsRead)
  @Describe('Read events', `${ORDER} With \`wait\`, the answer waits for an event if there is none. ${RIGHTS}`)
  @Answers(200, 'Events, and where to go on.', EventsResponseDto, ERRORS)
  async list(
    @Context() context: TenantContext,
    @Query() query: EventsQueryDto,
    @Req() request: Request,
    @CallerSignal() signal: AbortSignal,
  ): Promise<EventsResponseDto> {
    if (query.wait > 0) await beginFollowing(request);
    return this.events.list(context, query, signal);
  }

  @Get('stream')
  @RequireAccess(Permission.TenantEventsRead)
  @Describe(
    'Follow events',
    `The same as server-sent events: each has its id, and its JSON as data. A comment comes every 15 seconds. ${ORDER} ${RIGHTS} The stream ends when the right to read events does.`,
  )
  @Answers(200, 'The stream of events (`text/event-stream`).', bytes('text/event-stream'), ERRORS)
  async stream(
    @Context() context: TenantContext,
    @Query() query: EventStreamQueryDto,
    @Req() request: Request,
    @Res() response: Response,
    @CallerSignal() signal: AbortSignal,
  ): Promise<void> {
    const lastId = request.get('last-event-id');
    const from = await this.events.begin(context.tenantId, lastId === undefined || lastId === '' ? query.after : lastId);
    await beginFollowing(request);
    await sendEventStream(response, this.events.follow(context, query, from, signal));
  }
}
