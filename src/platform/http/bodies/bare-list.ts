import { Injectable, UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import type { Observable } from 'rxjs';

/** Marks requests whose list is answered as an array. `streamJson` reads the mark. */
@Injectable()
class BareListMark implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    execution.switchToHttp().getRequest<ExpressRequest>().takesBareList = true;
    return next.handle();
  }
}

/** Answers a list as the array of its items, without the object around them. */
export function BareList(): MethodDecorator {
  return UseInterceptors(BareListMark);
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on routes that answer the array of a list instead of `{ items }`. */
    takesBareList?: boolean;
  }
}
