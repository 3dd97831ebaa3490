export { configureSignalR, type SignalROptions } from './configure-signalr.js';
export { Argument, Caller, HubMethod, hubParameter, InjectHub, InvocationAbort, type Pipe } from './decorators.js';
export { SignalRModule } from './signalr.module.js';
