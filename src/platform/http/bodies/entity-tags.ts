import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request as ExpressRequest, Response } from 'express';
import { tap, type Observable } from 'rxjs';

import { invalidField } from '../../common/errors/errors.js';
import { MAXIMUM_EXPECTED_TAGS, readExpectedTags, type ExpectedTags, type TaggedState } from '../../common/resources/entity-tag.js';

/** Metadata key of the {@link TaggedState} of a route's answers. */
export const TAGGED_STATE = Symbol('tagged state');

/** Metadata key of routes with an {@link IfMatch} parameter. */
export const TAKES_IF_MATCH = Symbol('takes If-Match');

/** Name of the header with the states that a change expects. */
export const IF_MATCH = 'If-Match';

/** The message for an `If-Match` that cannot be read. */
export const MALFORMED_IF_MATCH = `${IF_MATCH} must be an entity tag in quotes as it was answered in ETag, a list of at most ${MAXIMUM_EXPECTED_TAGS} of them, or *.`;

/** Adds the `ETag` header to the answers of routes marked with {@link Tagged}. */
@Injectable()
export class EntityTagHeader implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ExpressRequest>();
    const response = http.getResponse<Response>();
    request.taggedState = this.reflector.get<TaggedState<unknown>>(TAGGED_STATE, execution.getHandler());
    // Express would answer 304 to a matching tag, although what people cannot change may have changed since.
    delete request.headers['if-none-match'];
    return next.handle().pipe(
      tap((body: unknown) => {
        // A streamed answer has its tag already.
        if (!response.headersSent) setEntityTag(response, body ?? null);
      }),
    );
  }
}

/** Adds the tag of the state to the answers of the route, as `ETag`. */
export function Tagged<T>(state: TaggedState<T>): MethodDecorator {
  return applyDecorators(SetMetadata(TAGGED_STATE, state), UseInterceptors(EntityTagHeader));
}

/** Sets the tag of a body on routes marked with {@link Tagged}. Does nothing on others. */
export function setEntityTag(response: Response, body: unknown): void {
  const tag = response.req.taggedState?.tagOf(body) ?? null;
  if (tag !== null) response.setHeader('ETag', `"${tag}"`);
}

const Expected = createParamDecorator((_data: unknown, execution: ExecutionContext): ExpectedTags | undefined => {
  const header = execution.switchToHttp().getRequest<ExpressRequest>().headers['if-match'];
  // Twins have the parameter, too, but not the mark.
  if (header === undefined || Reflect.getMetadata(TAKES_IF_MATCH, execution.getHandler()) !== true) return undefined;
  const expected = readExpectedTags(header);
  if (expected === null) throw invalidField(IF_MATCH, MALFORMED_IF_MATCH);
  return expected;
});

/**
 * Injects the states in which a change expects its thing, from the header `If-Match`; undefined when the request has none. The guard has
 * let the caller in by then. 400 when the header is malformed.
 */
export function IfMatch(): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) return;
    Reflect.defineMetadata(TAKES_IF_MATCH, true, (target as Record<string | symbol, object>)[key]);
    Expected()(target, key, index);
  };
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on routes whose answers carry an `ETag`. */
    taggedState?: TaggedState<unknown>;
  }
}
