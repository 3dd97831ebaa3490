import {
  applyDecorators,
  Inject,
  Injectable,
  Optional,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { NEVER, type Observable } from 'rxjs';

import { BindingPipe } from '../http/binding/binding.pipe.js';
import { Text } from '../http/binding/fields.js';
import { described } from '../http/described.js';

/** The injection token of {@link NamedNodes}. A service of one node provides nothing under it. */
export const NAMED_NODES = Symbol('NamedNodes');

/** The nodes of the service, for requests that say which one is meant. */
export interface NamedNodes {
  /** The name by which a request at any node means this one. */
  ownName(): Promise<string>;
  /**
   * Lets the named node answer a request. False: that is this node, so that the request is served here.
   * @throws DomainError 404 if there is no such node, 502 or 503 if it does not answer
   */
  answer(request: Request, response: Response, name: string): Promise<boolean>;
}

/** Longest name of a node, in characters: more than any address has. */
const MAXIMUM_NAME = 300;
const DESCRIPTION = 'Id or address of the node that serves the request, as the list of nodes has it; the answering one if it is omitted.';

class NamedNodeQuery {
  @Text(DESCRIPTION, { nullable: true, max: MAXIMUM_NAME }) node: string | null;
}

/** Passes a request on to the node that its query names. */
@Injectable()
class NamedNodeInterceptor implements NestInterceptor {
  private readonly binding = new BindingPipe();

  constructor(@Optional() @Inject(NAMED_NODES) private readonly nodes?: NamedNodes) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const { node } = this.binding.transform(request.query, { type: 'query', metatype: NamedNodeQuery }) as NamedNodeQuery;
    if (this.nodes === undefined || node === null) return next.handle();
    const isAnswered = await this.nodes.answer(request, http.getResponse<Response>(), node);
    // The answer of the other node is the whole one.
    return isAnswered ? NEVER : next.handle();
  }
}

/**
 * Serves a route at the node that the query names, for what each node has for itself. The request is passed on after its guards, with its
 * body if that is JSON. A service of one node serves every request.
 */
export function AtNamedNode(): MethodDecorator {
  const schema = { type: 'string', maxLength: MAXIMUM_NAME, example: '10.0.0.12:8091' } as const;
  const parameter = { name: 'node', description: DESCRIPTION, required: false, schema };
  return applyDecorators(
    UseInterceptors(NamedNodeInterceptor),
    described(({ ApiQuery }) => ApiQuery(parameter)),
  );
}
