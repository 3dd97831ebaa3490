import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
  ParseIntPipe,
  type PipeTransform,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { WebSocketGateway, WsException } from '@nestjs/websockets';
import type { HubConnection as ClientConnection } from '@microsoft/signalr';
import { from, map, type Observable, of, tap, throwError } from 'rxjs';
import { type HubConnection, HubError, hubMethod, type Invocation, stream, wire } from '../src/index.js';
import { Argument, Caller, HubMethod, hubParameter, InvocationAbort, SignalRModule } from '../src/nest/index.js';
import { eventually } from './support/eventually.js';
import { buildClient, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/enhanced';
const count = hubMethod('Count', [wire.any], stream(wire.number));
const observe = hubMethod('Observe', [wire.any], stream(wire.number));

let log: string[];
let hubs: RunningHubs;
let client: ClientConnection;

@Injectable()
class Notes {
  add(line: string): void {
    log.push(line);
  }
}

/** Notes its name before and after. Nest makes it with what it needs. */
@Injectable()
class Outer implements NestInterceptor {
  constructor(@Inject(Notes) private readonly notes: Notes) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const ws = context.switchToWs();
    const { method, connection }: Invocation = ws.getData();
    const caller: HubConnection = ws.getClient();
    const isWhole = caller === connection && context.getType() === 'ws' && ws.getPattern() === method;
    this.notes.add(`outer before ${method} ${isWhole} ${context.getHandler().name}`);
    return next.handle().pipe(tap({ next: () => this.notes.add(`outer after ${method}`) }));
  }
}

const inner: NestInterceptor = {
  intercept(_context, next) {
    log.push('inner before');
    return next.handle().pipe(
      map((result: unknown) => {
        log.push('inner after');
        return typeof result === 'string' ? `${result}!` : result;
      }),
    );
  },
};

const refusing: NestInterceptor = { intercept: () => throwError(() => new HubError('Not now.')) };
const replacing: NestInterceptor = { intercept: () => of('first', 'last') };
const store = new AsyncLocalStorage<string>();
const storing: NestInterceptor = { intercept: (_context, next) => store.run('stored', () => next.handle()) };
const timesTen: NestInterceptor = {
  intercept: (_context, next) =>
    next.handle().pipe(
      map(async function* (items: AsyncIterable<number>) {
        for await (const item of items) yield item * 10;
      }),
    ),
};

@Injectable()
class NotingGuard implements CanActivate {
  canActivate(): boolean {
    log.push('guard');
    return true;
  }
}

@UseGuards(NotingGuard)
@UseInterceptors(Outer)
@WebSocketGateway({ path: PATH })
class InterceptedGateway {
  @UseInterceptors(inner)
  @HubMethod('Greet')
  greet(@Argument(0) name: unknown): string {
    log.push('method');
    return `Hello ${String(name)}`;
  }

  @UseInterceptors(refusing)
  @HubMethod('Refused')
  refused(): void {
    log.push('method');
  }

  @UseInterceptors(replacing)
  @HubMethod('Replaced')
  replaced(): void {
    log.push('method');
  }

  @UseInterceptors(storing)
  @HubMethod('Stored')
  async stored(): Promise<string | undefined> {
    await Promise.resolve();
    return store.getStore();
  }

  @UseInterceptors(timesTen)
  @HubMethod(count)
  async *count(@Argument(0) upTo: unknown, @InvocationAbort() signal: AbortSignal): AsyncGenerator<number> {
    try {
      for (let item = 1; item <= Number(upTo) && !signal.aborted; item++) {
        yield item;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      log.push('stream ended');
    }
  }

  @UseInterceptors(inner)
  @HubMethod(observe)
  observe(): Observable<number> {
    return from([1, 2, 3]);
  }
}

/** Notes the values that it gets. */
@Injectable()
class NotingPipe implements PipeTransform {
  constructor(@Inject(Notes) private readonly notes: Notes) {}

  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    this.notes.add(`${type} ${metatype?.name} ${data}: ${String(value)}`);
    return value;
  }
}

const Name = (...pipes: PipeTransform[]): ParameterDecorator => hubParameter(({ connection }) => connection.transport, ...pipes);

const strict: PipeTransform = {
  transform(value) {
    if (value === 'secret') throw new Error('the password is swordfish');
    if (value === 'ws') throw new WsException('Not over this socket.');
    if (value === 'many') throw new BadRequestException(['First.', 'Second.']);
    return value;
  },
};

@UsePipes(NotingPipe)
@WebSocketGateway({ path: PATH })
class PipedGateway {
  @HubMethod('Add')
  add(@Argument(0, ParseIntPipe) left: number, @Argument(1, new ParseIntPipe()) right: number): unknown {
    return [typeof left, left + right];
  }

  @HubMethod('Who')
  who(@Caller() caller: HubConnection, @Name({ transform: (name: string) => name.toLowerCase() }) name: string): unknown {
    return [caller.isOpen, name];
  }

  @UsePipes(strict)
  @HubMethod('Strict')
  strict(@Argument(0) value: unknown): unknown {
    log.push('method');
    return value;
  }

  @HubMethod('Throw')
  throw(): void {
    throw new BadRequestException('for HTTP only');
  }
}

@Catch(RangeError)
class RangeFilter implements ExceptionFilter<RangeError> {
  catch(error: RangeError, host: ArgumentsHost): unknown {
    const { method }: Invocation = host.switchToWs().getData();
    if (error.message === 'answered') return `${method} was answered`;
    if (error.message === 'thrown') throw new HubError('Thrown by the filter.');
    if (error.message === 'observed') return throwError(() => new HubError('Observed by the filter.'));
    if (error.message === 'returned') return new HubError('Returned by the filter.');
    log.push(`noted ${error.message}`);
    return undefined;
  }
}

@Catch()
@Injectable()
class AnyFilter implements ExceptionFilter<unknown> {
  constructor(@Inject(Notes) private readonly notes: Notes) {}

  catch(error: unknown): unknown {
    this.notes.add(`any: ${String(error)}`);
    return new HubError('Caught at last.');
  }
}

@UseFilters(AnyFilter)
@WebSocketGateway({ path: PATH })
class FilteredGateway {
  @UseFilters(RangeFilter)
  @HubMethod('Range')
  range(@Argument(0) text: unknown): never {
    throw new RangeError(String(text));
  }

  @UseFilters(RangeFilter)
  @HubMethod('Type')
  type(): never {
    throw new TypeError('of another kind');
  }

  @UsePipes(strict)
  @HubMethod('Piped')
  piped(@Argument(0) value: unknown): unknown {
    return value;
  }

  @UseGuards({ canActivate: () => false })
  @HubMethod('Guarded')
  guarded(): void {}

  @HubMethod(count)
  count(): never {
    throw new TypeError('no stream');
  }
}

async function connect(gateway: new (...args: never[]) => object): Promise<void> {
  hubs = await startHubs({ imports: [SignalRModule.forHubs(PATH)], providers: [gateway, Notes] });
  client = buildClient(hubs.url + PATH);
  await client.start();
  log.length = 0;
}

/** The items of a stream until its end. */
function itemsOf(method: string, ...args: unknown[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const received: unknown[] = [];
    client.stream(method, ...args).subscribe({ next: (item) => received.push(item), complete: () => resolve(received), error: reject });
  });
}

beforeEach(() => {
  log = [];
});

describe('interceptors', () => {
  beforeEach(() => connect(InterceptedGateway));
  afterEach(() => hubs.app.close());

  it('run around the method in their order, behind the guards, and may change its result', async () => {
    expect(await client.invoke('Greet', 'Ann')).toBe('Hello Ann!');
    expect(log).toEqual(['guard', 'outer before Greet true greet', 'inner before', 'method', 'inner after', 'outer after Greet']);
  });

  it('may refuse a call, or answer it with their last value', async () => {
    await expect(client.invoke('Refused')).rejects.toThrow('HubException: Not now.');
    expect(await client.invoke('Replaced')).toBe('last');
    expect(log).not.toContain('method');
  });

  it('keep the asynchronous context in which they go on', async () => {
    expect(await client.invoke('Stored')).toBe('stored');
  });

  it('see a stream as one value, and may put another one around it', async () => {
    expect(await itemsOf('Count', 3)).toEqual([10, 20, 30]);
    expect(log).toEqual(['guard', 'outer before Count true count', 'outer after Count', 'stream ended']);
    expect(await itemsOf('Observe', 0)).toEqual([1, 2, 3]);
  });

  it('do not keep a stream from ending when its client cancels it', async () => {
    let received = 0;
    const subscription = client
      .stream('Count', 1e9)
      .subscribe({ next: () => received++, complete: () => undefined, error: () => undefined });
    await eventually('items arrive', () => received > 3);
    subscription.dispose();
    await eventually('the stream ends', () => log.includes('stream ended'));
  });
});

describe('pipes', () => {
  beforeEach(() => connect(PipedGateway));
  afterEach(() => hubs.app.close());

  it('run on arguments: those of the gateway, then those of the parameter', async () => {
    expect(await client.invoke('Add', '2', '40')).toEqual(['number', 42]);
    expect(log).toEqual(['body Number 0: 2', 'body Number 1: 40']);
  });

  it('run on parameters of the program, not on the connection', async () => {
    expect(await client.invoke('Who')).toEqual([true, 'websockets']);
    expect(log).toEqual(['custom String undefined: WebSockets']);
  });

  it('tell the caller what they refuse, and nothing about faults', async () => {
    const unexpected = "An unexpected error occurred invoking 'Strict' on the server.";
    await expect(client.invoke('Add', 'two', '40')).rejects.toThrow('HubException: Validation failed (numeric string is expected)');
    await expect(client.invoke('Strict', 'many')).rejects.toThrow(`${unexpected} HubException: First., Second.`);
    await expect(client.invoke('Strict', 'ws')).rejects.toThrow(`${unexpected} HubException: Not over this socket.`);
    await expect(client.invoke('Strict', 'secret')).rejects.toThrow(new RegExp(`${unexpected.replaceAll('.', '\\.')}$`));
    await expect(client.invoke('Throw')).rejects.toThrow(/on the server\.$/);
    expect(log).not.toContain('method');
  });
});

describe('exception filters', () => {
  beforeEach(() => connect(FilteredGateway));
  afterEach(() => hubs.app.close());

  it('answer for the errors that they catch', async () => {
    expect(await client.invoke('Range', 'answered')).toBe('Range was answered');
    await expect(client.invoke('Range', 'thrown')).rejects.toThrow('HubException: Thrown by the filter.');
    await expect(client.invoke('Range', 'observed')).rejects.toThrow('HubException: Observed by the filter.');
    await expect(client.invoke('Range', 'returned')).rejects.toThrow('HubException: Returned by the filter.');
  });

  it('leave an error as it is when they give nothing', async () => {
    await expect(client.invoke('Range', 'else')).rejects.toThrow(/invoking 'Range' on the server\.$/);
    expect(log).toEqual(['noted else']);
  });

  it('catch errors that no filter of the method has caught, also of guards, pipes and streams', async () => {
    await expect(client.invoke('Type')).rejects.toThrow('HubException: Caught at last.');
    await expect(client.invoke('Piped', 'secret')).rejects.toThrow('HubException: Caught at last.');
    await expect(client.invoke('Guarded')).rejects.toThrow('HubException: Caught at last.');
    await expect(itemsOf('Count', 1)).rejects.toThrow('HubException: Caught at last.');
    expect(log).toEqual([
      'any: TypeError: of another kind',
      'any: Error: the password is swordfish',
      'any: HubError: Forbidden.',
      'any: TypeError: no stream',
    ]);
  });
});

describe('an application does not start', () => {
  it.each([
    ['pipes on a method that takes the whole call', wholeCall(), 'WholeCall.one has pipes but no decorated parameters'],
    ['an interceptor for each request', perRequest(), 'Fleeting is request-scoped'],
  ])('with %s', async (_case, gateway, message) => {
    Logger.overrideLogger(false);
    await expect(startHubs({ imports: [SignalRModule.forHubs(PATH)], providers: [gateway] })).rejects.toThrow(message);
  });
});

function wholeCall(): new () => object {
  @UsePipes(new ParseIntPipe())
  @WebSocketGateway({ path: PATH })
  class WholeCall {
    @HubMethod('One')
    one(call: Invocation): unknown {
      return call.args;
    }
  }
  return WholeCall;
}

function perRequest(): new () => object {
  @Injectable({ scope: Scope.REQUEST })
  class RequestInterceptor implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle();
    }
  }
  @UseInterceptors(RequestInterceptor)
  @WebSocketGateway({ path: PATH })
  class Fleeting {
    @HubMethod('One')
    one(): void {}
  }
  return Fleeting;
}
