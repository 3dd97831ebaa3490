import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { messageOf } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { hostInUrl } from '../../platform/config/url-text.js';
import { listenError } from '../../platform/http/address-error.js';
import { Readiness } from '../health/readiness.js';
import { currentTelemetry, type Telemetry } from './current-telemetry.js';

/** Longest time in which a request must arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 5_000;
/** Most connections at once: scrapers and probes, not people. */
const MAXIMUM_CONNECTIONS = 50;

/** Serves metrics and health on a port of their own, which nobody signs in to. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly readiness: Readiness,
  ) {}

  /** @throws AddressError when the port cannot be listened on */
  async onApplicationBootstrap(): Promise<void> {
    const telemetry = currentTelemetry();
    if (telemetry === null || telemetry.scrape === null) return;
    this.server = await this.listen(telemetry);
  }

  /** Ends after everything else, so that the last figures are those of the stop. */
  async onApplicationShutdown(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    await currentTelemetry()?.stop();
  }

  private async listen(telemetry: Telemetry): Promise<Server> {
    const { port, bindAddress } = this.settings.metrics;
    const address = bindAddress === '' ? '0.0.0.0' : bindAddress;
    const place = `${hostInUrl(address)}:${port}`;
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      void this.answer(telemetry, request, response);
    });
    server.maxConnections = MAXIMUM_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => {
        const named = listenError(error, place, { port: 'Service_Metrics__Port', bindAddress: 'Service_Metrics__BindAddress' });
        reject(named instanceof Error ? named : error);
      });
      server.listen(port, address, resolve);
    });
    this.logger.log(`Metrics on http://${place}/metrics`);
    return server;
  }

  private async answerMetrics({ scrape }: Telemetry, response: ServerResponse): Promise<void> {
    try {
      const text = (await scrape?.()) ?? '';
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' });
      response.end(text);
    } catch (error) {
      this.logger.error(`The metrics could not be collected: ${messageOf(error)}`);
      answerJson(response, 500, { status: 'The metrics could not be collected; the log of the service has the reason' });
    }
  }

  private async answer(telemetry: Telemetry, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerJson(response, 405, { status: 'GET only' });
    switch ((request.url ?? '').split('?', 1)[0]) {
      case '/metrics':
        return this.answerMetrics(telemetry, response);
      case '/health/live':
        return answerJson(response, 200, { status: 'Healthy' });
      case '/health/ready': {
        const answer = await this.readiness.answer();
        return answerJson(response, answer.status === 'NotReady' ? 503 : 200, answer);
      }
      default:
        return answerJson(response, 404, { status: 'Not found: /metrics, /health/live and /health/ready are here' });
    }
  }
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
