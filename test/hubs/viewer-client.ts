import { HttpTransportType, HubConnectionBuilder, LogLevel, Subject, type HubConnection } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { WebSocket, type ClientOptions } from 'ws';

import {
  viewerClient,
  type Arguments,
  type ChatResponseHubDto,
  type DeviceResponseDto,
  type Encoding,
  type HubMethod,
  type Result,
  type ServerStatsDto,
  type TerminalOutputDto,
  type viewerHub,
  type WireType,
} from '#libs/contracts';

import type { PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import type { ServiceAccount } from '../../src/people/service-accounts/service-account.entity.js';
import { VIEWER_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import type { TestApp } from '../support/application/app.js';
import { createServiceAccountWithKey, grantAll, holder, type Scope } from '../support/fixtures/factories.js';

/** An API caller with its own account. */
export interface Caller {
  readonly account: ServiceAccount;
  readonly headers: Record<string, string>;
}

/** A service account of the tenant that holds the permissions at the scope, and nothing else. */
export async function callerWith(
  server: TestApp,
  tenant: { readonly id: string },
  permissions: readonly PermissionDefinition[],
  scope: Scope,
): Promise<Caller> {
  const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
  await grantAll(server, holder.serviceAccount(account), permissions, scope);
  return { account, headers: { 'x-api-key': key } };
}

/** Time-out, in milliseconds: longer than any test. A viewer that a test stalls gets no pings, and must not disconnect because of that. */
const TIMEOUT_MS = 600_000;

type ViewerMethod = (typeof viewerHub)[keyof typeof viewerHub];

/** A viewer with the official hub client. It records what the server pushes. */
export class TestViewer {
  readonly updates: DeviceResponseDto[] = [];
  readonly outputs: TerminalOutputDto[] = [];
  readonly stats: ServerStatsDto[] = [];
  /** The server or the network ended the connection. */
  isClosed = false;

  private constructor(
    readonly connection: HubConnection,
    private readonly encoding: Encoding,
    private readonly sockets: readonly WebSocket[],
  ) {}

  static async connect(server: Pick<TestApp, 'url'>, headers: Record<string, string>, encoding: Encoding = 'json'): Promise<TestViewer> {
    const sockets: WebSocket[] = [];
    const options = { transport: HttpTransportType.WebSockets, headers, WebSocket: notingIn(sockets) };
    const builder = new HubConnectionBuilder()
      .withUrl(`${server.url}${VIEWER_HUB_PATH}`, options)
      .withServerTimeout(TIMEOUT_MS)
      .configureLogging(LogLevel.None);
    if (encoding === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
    const viewer = new TestViewer(builder.build(), encoding, sockets);
    viewer.note(viewerClient.ReceiveDeviceUpdate, (update) => viewer.updates.push(update));
    viewer.note(viewerClient.ReceiveTerminalOutput, (output) => viewer.outputs.push(output));
    viewer.note(viewerClient.ReceiveServerStats, (stats) => viewer.stats.push(stats));
    viewer.connection.onclose(() => (viewer.isClosed = true));
    await viewer.connection.start();
    return viewer;
  }

  get connectionId(): string {
    return this.connection.connectionId ?? '';
  }

  /** Calls a method of the hub. */
  async call<M extends ViewerMethod>(method: M, ...args: Arguments<M>): Promise<Result<M>>;
  async call(method: HubMethod, ...args: unknown[]): Promise<unknown> {
    const answer = await this.callRaw(method, args);
    const { returns } = method;
    if (returns === undefined || 'stream' in returns) return answer ?? undefined;
    return returns.decode(answer, this.encoding);
  }

  /** Calls a method of the hub. Gives the answer as it came over the wire. */
  callRaw({ name, parameters }: HubMethod, args: readonly unknown[]): Promise<unknown> {
    const raw = parameters.map((type, index) =>
      'stream' in type ? this.streamOf(args[index], type.stream) : type.encode(args[index], this.encoding),
    );
    return this.connection.invoke(name, ...raw);
  }

  /** Answers the server's question about answers in chats. */
  onChatResponse(take: (response: ChatResponseHubDto) => boolean | Promise<boolean>): void {
    const { name, parameters } = viewerClient.ReceiveChatResponse;
    this.connection.off(name);
    this.connection.on(name, (raw: unknown) => take(parameters[0].decode(raw, this.encoding)));
  }

  /** Stops reading from the network, like a slow viewer. */
  stall(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** Reads from the network again. */
  readOn(): void {
    for (const socket of this.sockets) socket.resume();
  }

  /** Cuts the connection without closing it. */
  vanish(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  async stop(): Promise<void> {
    await this.connection.stop();
  }

  /** Returns items as a stream that the client library sends; passes them on once it has been asked to. */
  private streamOf(items: unknown, type: WireType<unknown>): Subject<unknown> {
    const subject = new Subject<unknown>();
    const send = async (): Promise<void> => {
      for await (const item of items as AsyncIterable<unknown>) subject.next(type.encode(item, this.encoding));
      subject.complete();
    };
    send().catch((error: unknown) => subject.error(error));
    return subject;
  }

  private note<T>(
    { name, parameters }: { readonly name: string; readonly parameters: readonly [{ decode(raw: unknown, encoding: Encoding): T }] },
    take: (value: T) => unknown,
  ): void {
    this.connection.on(name, (raw: unknown) => void take(parameters[0].decode(raw, this.encoding)));
  }
}

/** A socket class for the client library. It adds each instance to the list. */
function notingIn(sockets: WebSocket[]) {
  return class extends WebSocket {
    constructor(address: string | URL, protocols: string | string[] | undefined, options: ClientOptions) {
      super(address, protocols, options);
      sockets.push(this);
    }
  };
}
