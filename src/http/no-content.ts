import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** Answers 204 without a body where a handler finds nothing and returns null. For handlers without a status of their own. */
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
