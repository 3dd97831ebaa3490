import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** Variables that turn telemetry of a service on, and the port of its metrics. */
export interface TelemetrySettings {
  readonly variables: Readonly<Record<string, string>>;
  /** 0 without metrics. */
  readonly metricsPort: number;
}

/** The service as it is by default: nothing is collected. */
export const OFF: TelemetrySettings = { variables: {}, metricsPort: 0 };

/** Metrics for a scraper. */
export async function withMetrics(): Promise<TelemetrySettings> {
  const metricsPort = await freePort();
  return { metricsPort, variables: { Service_Metrics__Port: String(metricsPort) } };
}

/** Metrics for a scraper, and this share of the traces for a receiver. */
export async function withTraces(receiver: Receiver, share: number): Promise<TelemetrySettings> {
  const { metricsPort, variables } = await withMetrics();
  const sampler: Readonly<Record<string, string>> =
    share === 1 ? {} : { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: String(share) };
  return { metricsPort, variables: { ...variables, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url, ...sampler } };
}

/** A receiver of traces by OTLP that reads and forgets them. */
export class Receiver {
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/traces`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
