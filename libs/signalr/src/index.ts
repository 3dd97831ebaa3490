export { jsonProtocol } from './protocol/json-protocol.js';
export { type Encoding, ProtocolError } from './protocol/messages.js';
export { messagePackProtocol } from './protocol/messagepack-protocol.js';
export { type HttpAnswer, plainAnswer, refuseUpgrade, respond } from './transports/http-answer.js';
export { Upgrade, type UpgradeHandler, UpgradeRouter, type UpgradeRouterOptions } from './transports/upgrade-router.js';
export { type Transport, type TransportListener, type TransportName, TRANSPORTS } from './transports/transport.js';
export { type Backplane, type GroupSendOptions, type HubDelivery, InProcessBackplane } from './runtime/backplane.js';
export { ClientCall } from './runtime/client-call.js';
export type { InvokeOptions } from './runtime/client-results.js';
export { ClientResultError, ClientResultTimeoutError, ConnectionGoneError, DisconnectedError, HubError } from './runtime/errors.js';
export { HubConnection } from './runtime/hub-connection.js';
export { type ClientProxy, type GroupProxy, HubContext } from './runtime/hub-context.js';
export type { HubMethodHandler } from './runtime/hub-dispatcher.js';
export { type Authentication, DEFAULT_LIMITS, type HubLimits, type HubOptions, resolveLimits } from './runtime/hub-options.js';
export { Hub, type HubLifecycle, type OnHubConnected, type OnHubDisconnected } from './runtime/hub.js';
export { Invocation } from './runtime/invocation.js';
export type { HubLogger } from './runtime/logger.js';
export {
  type ClientArguments,
  clientMethod,
  type ClientMethodDescriptor,
  type ClientParameters,
  hubMethod,
  type HubMethodDescriptor,
  stream,
  type StreamParameter,
} from './runtime/method-descriptor.js';
export * as wire from './runtime/wire-type.js';
export type { WireType } from './runtime/wire-type.js';
export { SignalRServer, type SignalRServerOptions } from './signalr-server.js';
export { configureSignalR, type SignalROptions } from './nest/configure-signalr.js';
export { Argument, Caller, HubMethod, hubParameter, InjectHub, InvocationAbort } from './nest/decorators.js';
export { SignalRAdapter } from './nest/signalr-adapter.js';
export { SignalRModule } from './nest/signalr.module.js';
