export { jsonProtocol } from './protocol/json-protocol.js';
export type { Frame, HubProtocol, MessageSink } from './protocol/hub-protocol.js';
export { bufferMemory } from './protocol/buffer-memory.js';
export { MessagePackReader } from './protocol/messagepack-reader.js';
export { type Encoding, type HubMessage, MessageType, ProtocolError } from './protocol/messages.js';
export { MessagePackWriter } from './wire/messagepack-writer.js';
export { PreciseDate } from './wire/precise-date.js';
export { messagePackProtocol } from './protocol/messagepack-protocol.js';
export type { Claim, Claimant, ConnectionHomes, Home, Negotiated, NegotiationRequest } from './transports/connection-homes.js';
export { ConnectionTable, newConnectionId, type NegotiationLimits } from './transports/connection-table.js';
export { type HttpAnswer, plainAnswer, refuseUpgrade, respond } from './transports/http-answer.js';
export { type Upgrade, type UpgradeHandler, UpgradeRouter, type UpgradeRouterOptions } from './transports/upgrade-router.js';
export { type Transport, type TransportListener, type TransportName, TRANSPORTS } from './transports/transport.js';
export { MESSAGE_TIMEOUT_MS } from './runtime/limits/backlog.js';
export {
  type Backplane,
  type ClientAnswer,
  type HubNode,
  InProcessBackplane,
  type Pushes,
  type PushOptions,
  type PushTarget,
} from './runtime/hub/backplane.js';
export { CarriedCall } from './runtime/calls/encoded-call.js';
export type { InvokeOptions, SendOptions } from './runtime/calls/client-results.js';
export {
  ClientResultError,
  ClientStreamError,
  ClientResultTimeoutError,
  ConnectionGoneError,
  DisconnectedError,
  HubError,
} from './runtime/errors.js';
export type { ConnectionRequest } from './runtime/connection/connection-request.js';
export type { CloseOptions, HubConnection } from './runtime/connection/hub-connection.js';
export type { ClientProxy, ClientsProxy, HubContext } from './runtime/hub/hub-context.js';
export { DEFAULT_LIMITS, type HubLimits, resolveLimits } from './runtime/limits/hub-limits.js';
export type { Authentication, HubOptions } from './runtime/hub/hub-options.js';
export type { Hub, HubLifecycle, OnHubConnected, OnHubDisconnected } from './runtime/hub/hub.js';
export type { HubFilter, NextCall } from './runtime/hub/hub-filter.js';
export type { HubMethodHandler, Invocation, InvocationOf } from './runtime/hub/invocation.js';
export type { HubLogger } from './runtime/logger.js';
export {
  type ClientArguments,
  clientMethod,
  type ClientMethodDescriptor,
  type ClientParameters,
  hubMethod,
  type HubArguments,
  type HubMethodDescriptor,
  type HubReturn,
  stream,
  type StreamParameter,
} from './runtime/calls/method-descriptor.js';
export type { OutgoingCall } from './runtime/calls/outgoing-call.js';
export type { StreamSource, Subscribable } from './runtime/streams/stream-source.js';
export * as wire from './runtime/wire-type.js';
export type { WireType } from './runtime/wire-type.js';
export { type HomesOptions, SignalRServer, type SignalRServerOptions } from './signalr-server.js';
