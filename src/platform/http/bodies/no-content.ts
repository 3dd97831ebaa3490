import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** Answers 204 without a body when a handler returns null. For handlers that do not set a status themselves. */
@Injectable()
export class NoContentWhenNull implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = execution.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body: unknown) => {
        if (body !== null) return body;
        response.status(204);
        return undefined;
      }),
    );
  }
}
