import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader, type Histogram } from '@opentelemetry/sdk-metrics';
import express, { type Request, type Response } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventually } from '../../../test/support/eventually.js';
import { measureRequests } from './request-metrics.js';

/** Collects only when a test asks. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

describe('measureRequests', () => {
  let reader: Reader;
  let server: Server;
  let port: number;

  beforeEach(async () => {
    reader = new Reader();
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    const app = express();
    app.use(measureRequests((_request, _response, next) => next()));
    app.get('/things/:id', (request: Request<{ id: string }>, response: Response) => {
      if (request.params.id === 'silent') return;
      response.status(request.params.id === 'bad' ? 500 : 200).json({});
    });
    app.put('/things/:id', (_request, response) => void response.status(204).end());
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    metrics.disable();
    await reader.shutdown();
  });

  /** The number of measured requests by their labels. */
  async function counts(): Promise<Readonly<Record<string, number>>> {
    const { resourceMetrics } = await reader.collect();
    const points = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics.flatMap((metric) => [...metric.dataPoints]));
    return Object.fromEntries(
      points.map(({ attributes: { route, method, status, ...others }, value }) => {
        expect(others).toEqual({});
        return [[route, method, status].map(String).join(' '), (value as Histogram).count];
      }),
    );
  }

  /** Sends these requests on one connection, one behind the other, and reads until the server ends it. */
  async function send(...requests: readonly string[]): Promise<void> {
    const socket = connect(port, '127.0.0.1').resume();
    const last = requests.length - 1;
    for (const [index, line] of requests.entries()) {
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${index === last ? 'Connection: close\r\n' : ''}\r\n`);
    }
    await once(socket, 'close');
  }

  it('counts each request once, by template, method and class of the status', async () => {
    for (let round = 0; round < 3; round += 1) {
      await send('GET /things/1', 'GET /things/2', 'HEAD /things/3', 'GET /things/bad', 'PUT /things/1');
    }
    await send('GET /nothing/1', 'PROPFIND /things/1', 'DELETE /things/1', 'GET /hubs/agent');
    const expected = {
      '/things/:id GET 2xx': 6,
      '/things/:id HEAD 2xx': 3,
      '/things/:id GET 5xx': 3,
      '/things/:id PUT 2xx': 3,
      'other GET 4xx': 1,
      'other other 4xx': 1,
      'other DELETE 4xx': 1,
      '/hubs GET 4xx': 1,
    };
    await eventually('all requests are measured', async () => Object.values(await counts()).reduce((sum, count) => sum + count, 0) >= 19);
    expect(await counts()).toEqual(expected);
  });

  it('counts a client that leaves before its answer once, as 499', async () => {
    const arrived = once(server, 'request');
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /things/silent HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived;
    socket.destroy();
    await eventually('the request is measured', async () => Object.keys(await counts()).length > 0);
    await send('GET /things/1');
    await eventually('the next one as well', async () => Object.keys(await counts()).length > 1);
    expect(await counts()).toEqual({ '/things/:id GET 499': 1, '/things/:id GET 2xx': 1 });
  });
});
