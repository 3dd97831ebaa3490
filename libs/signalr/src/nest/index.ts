export { configureSignalR, type SignalROptions } from './configure-signalr.js';
export { Argument, Caller, HubMethod, hubParameter, InjectHub, InvocationAbort, type Pipe } from './decorators.js';
export { SignalRHost, SignalRModule } from './signalr.module.js';
