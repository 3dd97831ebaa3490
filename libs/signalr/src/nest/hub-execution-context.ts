import type { ContextType, ExecutionContext, Type } from '@nestjs/common';
import type { Invocation } from '../runtime/invocation.js';

type HttpHost = ReturnType<ExecutionContext['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContext['switchToRpc']>;
type WsHost = ReturnType<ExecutionContext['switchToWs']>;

/** What a guard of a gateway sees: the connection as the client, the invocation as the data. */
export class HubExecutionContext implements ExecutionContext {
  constructor(
    private readonly invocation: Invocation,
    private readonly gateway: Type,
    private readonly handler: ReturnType<ExecutionContext['getHandler']>,
  ) {}

  getClass<T>(): Type<T> {
    return this.gateway as Type<T>;
  }

  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.handler;
  }

  getType<TContext extends string = ContextType>(): TContext {
    return 'ws' as TContext;
  }

  getArgs<T extends unknown[]>(): T {
    return [this.invocation.connection, this.invocation] as unknown[] as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }

  switchToWs(): WsHost {
    return {
      getClient: <T>() => this.invocation.connection as T,
      getData: <T>() => this.invocation as T,
      getPattern: () => this.invocation.method,
    };
  }

  switchToHttp(): HttpHost {
    throw new Error('A hub method is not called through HTTP; use switchToWs().');
  }

  switchToRpc(): RpcHost {
    throw new Error('A hub method is not called through a microservice; use switchToWs().');
  }
}
