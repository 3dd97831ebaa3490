import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';

/** Metadata key of the template that {@link LocatedAt} declares. */
export const LOCATION = Symbol('location');

/** Adds the `Location` header to the answers of routes that create something. */
@Injectable()
export class LocationHeader implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const template = this.reflector.get<string>(LOCATION, execution.getHandler());
    const http = execution.switchToHttp();
    const tenantId = http.getRequest<Request>().context?.tenantId;
    return next
      .handle()
      .pipe(tap((created: object) => http.getResponse<Response>().setHeader('Location', expanded(template, { tenantId, ...created }))));
  }
}

/**
 * Declares the path at which the created thing can be read; the answer carries it as `Location`. Names in braces stand
 * for members of the answer; `tenantId` stands for the tenant that the request names if the answer has no such member.
 */
export function LocatedAt(template: string): MethodDecorator {
  return applyDecorators(SetMetadata(LOCATION, template), UseInterceptors(LocationHeader));
}

function expanded(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`The answer has no ${name} for its location ${template}.`);
    return encodeURIComponent(value);
  });
}
