import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger, type ModuleMetadata, Scope, UseGuards } from '@nestjs/common';
import { WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import {
  type Authentication,
  clientMethod,
  type HubConnection,
  type HubContext,
  HubError,
  hubMethod,
  type Invocation,
  wire,
} from '../src/index.js';
import {
  Argument,
  Caller,
  configureSignalR,
  HubMethod,
  hubParameter,
  InjectHub,
  SignalRModule,
  type SignalROptions,
} from '../src/nest/index.js';
import { eventually } from './support/eventually.js';
import { buildClient, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/nest';
const said = clientMethod('Said', [wire.text]);

async function withHubs(metadata: ModuleMetadata, run: (hubs: RunningHubs) => Promise<void>, options: SignalROptions = {}): Promise<void> {
  const hubs = await startHubs({ imports: [SignalRModule.forHubs(PATH)], ...metadata }, options);
  try {
    await run(hubs);
  } finally {
    await hubs.app.close();
  }
}

@Injectable()
class Greeting {
  readonly text = 'Hello';
}

/** Lets every client call all methods but the forbidden ones. */
@Injectable()
class TargetGuard implements CanActivate {
  constructor(@Inject(Greeting) private readonly greeting: Greeting) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await Promise.resolve();
    const ws = context.switchToWs();
    const client: HubConnection = ws.getClient();
    const data: Invocation = ws.getData();
    if (!client.isOpen || data.connection !== client || context.getClass() !== GuardedGateway) return false;
    if (ws.getPattern() === 'Explained') throw new HubError(`${this.greeting.text}, but no.`);
    return ws.getPattern() !== 'Forbidden' && context.getHandler().name !== 'never';
  }
}

const UserName = (): ParameterDecorator => hubParameter(({ connection }) => connection.userId ?? 'nobody');

@UseGuards(TargetGuard)
@WebSocketGateway({ path: PATH })
class GuardedGateway {
  @WebSocketServer() readonly clients: HubContext;

  @HubMethod('Allowed')
  allowed(@UserName() name: string, @Argument(1) second: unknown, @Argument(0) first: unknown): unknown {
    return [name, first, second];
  }

  @HubMethod('Forbidden')
  forbidden(): string {
    return 'never returned';
  }

  @HubMethod('Explained')
  explained(): string {
    return 'never returned';
  }

  @HubMethod('Tell')
  tell(@Caller() connection: HubConnection): void {
    this.clients.client(connection.connectionId).send(said, ['told']);
  }
}

@WebSocketGateway({ path: PATH })
class SecondGateway {
  @HubMethod('Second')
  second(): string {
    return 'second';
  }
}

describe('gateways', () => {
  it('run their guards and their own parameter decorators', async () => {
    await withHubs({ providers: [GuardedGateway, SecondGateway, Greeting] }, async ({ url }) => {
      const client = buildClient(url + PATH);
      await client.start();
      expect(await client.invoke('Allowed', 1, 2)).toEqual(['nobody', 1, 2]);
      await expect(client.invoke('Forbidden')).rejects.toThrow('HubException: Forbidden.');
      await expect(client.invoke('Explained')).rejects.toThrow('HubException: Hello, but no.');
      await client.stop();
    });
  });

  it('have the options of their path in any case', async () => {
    const options: SignalROptions = { hubs: [{ path: '/Hubs/NEST/', authenticate: () => ({ accept: false, status: 401 }) }] };
    await withHubs(
      { providers: [SecondGateway] },
      async ({ url }) => {
        expect((await fetch(`${url}${PATH}/negotiate`, { method: 'POST' })).status).toBe(401);
      },
      options,
    );
  });

  it('take the parameters of a method from the class that declares it last', async () => {
    class Parent {
      @HubMethod('Who')
      who(@Argument(0) name: unknown, @Argument(1) other: unknown): unknown {
        return [name, other];
      }
    }
    @WebSocketGateway({ path: PATH })
    class Child extends Parent {
      @HubMethod('Who')
      override who(@UserName() name: string, @Argument(0) other: unknown): unknown {
        return [name, other];
      }
    }
    await withHubs({ providers: [Child] }, async ({ url }) => {
      const client = buildClient(url + PATH);
      await client.start();
      expect(await client.invoke('Who', 'other')).toEqual(['nobody', 'other']);
      await client.stop();
    });
  });

  it('can share a path, and get its context as their server', async () => {
    await withHubs({ providers: [GuardedGateway, SecondGateway, Greeting] }, async ({ url }) => {
      const client = buildClient(url + PATH);
      await client.start();
      expect(await client.invoke('Second')).toBe('second');
      const told = new Promise((resolve) => client.on('Said', resolve));
      await client.invoke('Tell');
      expect(await told).toBe('told');
      await client.stop();
    });
  });

  it('reach the clients of other hubs through the hub context', async () => {
    @WebSocketGateway({ path: PATH })
    class Listener {
      @HubMethod('Listen')
      listen(): void {}
    }
    @WebSocketGateway({ path: '/hubs/speaker' })
    class Speaker {
      constructor(@InjectHub(PATH) private readonly listeners: HubContext) {}

      @HubMethod('Speak')
      speak(@Argument(0) user: unknown): void {
        this.listeners.user(String(user)).send(said, ['to you']);
      }
    }
    const authenticate = (): Authentication => ({ accept: true, user: undefined, userId: 'ann' });
    await withHubs(
      { providers: [Listener, Speaker] },
      async ({ url }) => {
        const [listener, speaker] = [buildClient(url + PATH), buildClient(`${url}/hubs/speaker`)];
        const heard: string[] = [];
        listener.on('Said', (text: string) => heard.push(text));
        await Promise.all([listener.start(), speaker.start()]);
        await speaker.invoke('Speak', 'bob');
        await speaker.invoke('Speak', 'ann');
        await eventually('the listener hears', () => heard.length > 0);
        expect(heard).toEqual(['to you']);
        await Promise.all([listener.stop(), speaker.stop()]);
      },
      { hubs: [{ path: PATH, authenticate }] },
    );
  });
});

describe('an application does not start', () => {
  it.each([
    ['a gateway without a path', { providers: [pathless()] }, 'A gateway needs a path'],
    ['a gateway with a port', { providers: [withPort()] }, 'hubs live on the port of the application'],
    ['a gateway that is request-scoped', { providers: [requestScoped()] }, 'RequestScoped is request-scoped'],
    ['an argument that the method does not have', { providers: [tooManyArguments()] }, "asks for argument 1, but 'One' has 1 parameter(s)"],
    [
      'options of a hub that no gateway has',
      { providers: [SecondGateway] },
      "No gateway has the path '/hubs/nets'",
      { hubs: [{ path: '/hubs/nets' }] },
    ],
    ['two methods of one name', { providers: [SecondGateway, twice()] }, "has a method 'SECOND' already"],
  ])('with %s', async (_case, metadata, message, options: SignalROptions = {}) => {
    Logger.overrideLogger(false);
    await expect(startHubs({ imports: [SignalRModule.forHubs(PATH)], ...metadata }, options)).rejects.toThrow(message);
  });

  it('when it is configured twice', async () => {
    await withHubs({ providers: [] }, async ({ app }) => {
      expect(() => configureSignalR(app)).toThrow('configureSignalR was called already.');
      expect(() => app.get<HubContext>(`HubContext:${PATH}`).all()).toThrow(`There is no hub at '${PATH}'.`);
      await Promise.resolve();
    });
  });
});

describe('an upgrade that waits for its authenticator', () => {
  it('loses nothing that the client sends before it is done', async () => {
    const decided = { resolve: (): void => undefined };
    const decision = new Promise<Authentication>((resolve) => (decided.resolve = () => resolve({ accept: true, user: undefined })));
    let asked = 0;
    const authenticate = (): Promise<Authentication> => {
      asked++;
      return decision;
    };
    await withHubs(
      { providers: [SecondGateway] },
      async ({ url }) => {
        const { hostname, port } = new URL(url);
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(
          `GET ${PATH} HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
        );
        await eventually('the authenticator is asked', () => asked === 1);
        for (const record of [
          '{"protocol":"json","version":1}\x1e',
          '{"type":1,"invocationId":"1","target":"Second","arguments":[]}\x1e',
        ]) {
          socket.write(frameOf(record));
        }
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        decided.resolve();
        await eventually('the call is answered', () => answer.includes('"result":"second"'));
        socket.destroy();
      },
      { hubs: [{ path: PATH, authenticate }] },
    );
  });
});

/** A text frame of at most 125 bytes, masked with zeros. */
function frameOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

function pathless(): new () => object {
  @WebSocketGateway()
  class Pathless {}
  return Pathless;
}

function withPort(): new () => object {
  @WebSocketGateway(4711, { path: PATH })
  class WithPort {}
  return WithPort;
}

function requestScoped(): new () => object {
  @Injectable({ scope: Scope.REQUEST })
  @WebSocketGateway({ path: PATH })
  class RequestScoped {
    @HubMethod('One')
    one(): void {}
  }
  return RequestScoped;
}

function tooManyArguments(): new () => object {
  @WebSocketGateway({ path: PATH })
  class TooManyArguments {
    @HubMethod(hubMethod('One', [wire.text]))
    one(@Argument(1) value: unknown): unknown {
      return value;
    }
  }
  return TooManyArguments;
}

function twice(): new () => object {
  @WebSocketGateway({ path: PATH })
  class Twice {
    @HubMethod('SECOND')
    second(): void {}
  }
  return Twice;
}
