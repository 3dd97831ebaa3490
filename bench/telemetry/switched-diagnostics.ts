import { type Diagnostics, diagnosticsOf as reallyOf } from '../../libs/signalr/src/runtime/diagnostics.js';
import { slice } from './slices.js';

/* Takes the place of the module within a service whose telemetry is switched: calls are noted in the slices in which it is on. */

type Noted = Pick<Diagnostics, keyof Diagnostics>;

/** Returns the diagnostics of a hub. Connections are always noted, because they last longer than a slice. */
export function diagnosticsOf(path: string): Noted | undefined {
  const real = reallyOf(path);
  if (real === undefined) return undefined;
  return {
    contextOf: (headers) => real.contextOf(headers),
    connected: (connection) => real.connected(connection),
    disconnected: (connection, reason) => real.disconnected(connection, reason),
    close: () => real.close(),
    received: (bytes) => {
      if (slice.isOn) real.received(bytes);
    },
    sent: (frame) => {
      if (slice.isOn) real.sent(frame);
    },
    serve: async (connection, message, method, run) => {
      slice.operations += 1;
      await (slice.isOn ? real.serve(connection, message, method, run) : run());
    },
    ask: (method, run) => (slice.isOn ? real.ask(method, run) : run()),
  };
}
