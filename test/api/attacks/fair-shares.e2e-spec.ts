import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Body, Controller, Get, Module, Post, Res } from '@nestjs/common';
import type { Response } from 'express';

import { AllowAnonymous, RequireAuthenticated } from '../../../src/access/authorization/guard/access.js';
import { ResponseBody } from '../../../src/devices/file-system/response-body.js';
import { shareAlone } from '../../../src/platform/common/concurrency/shares.js';
import { ARRIVING_JSON_LIMIT, JSON_BODY_LIMIT } from '../../../src/platform/http/bodies/json-body.js';
import { TenantLimits } from '../../../src/platform/http/connections/fair-shares.js';
import { eventually } from '../../support/eventually.js';
import { createServiceAccountWithKey, createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * One account, or a client without one, keeps hundreds of requests, transfers or bodies under way, so that nothing is left for the
 * others: connections to the database, memory, time.
 */

/** A route for every account, answered from memory. */
const MEMORY = '/api/v1/user-server-settings/file-upload-max-size';

const RUNNING_OF_ACCOUNT = 32;
const WAITING_OF_ACCOUNT = 200;
const TRANSFERS_OF_ACCOUNT = 64;
const RUNNING_OF_ADDRESS = 64;
const WAITING_OF_ADDRESS = 256;

/** Keeps requests under way until it is opened. */
class Gate {
  private open: () => void = () => undefined;
  private opened: Promise<void> = Promise.resolve();
  waiting = 0;

  shut(): void {
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  unlock(): void {
    this.open();
  }

  async pass(): Promise<void> {
    this.waiting += 1;
    await this.opened;
    this.waiting -= 1;
  }

  async *parts(): AsyncGenerator<string> {
    await this.pass();
    yield 'done';
  }
}

const gate = new Gate();

@Controller('api/attacks')
class GateController {
  @Get('account')
  @RequireAuthenticated()
  ofAccount(): Promise<void> {
    return gate.pass();
  }

  @Get('transfer')
  @RequireAuthenticated()
  transfer(@Res() response: Response): Promise<void> {
    return ResponseBody.write(response, { idleMs: 60_000, ended: new AbortController().signal }, (body) => body.send({}, gate.parts()));
  }

  @Get('nobody')
  @AllowAnonymous()
  ofNobody(): Promise<void> {
    return gate.pass();
  }

  @Post('body')
  @AllowAnonymous()
  body(@Body() body: object): object {
    return body;
  }
}

@Module({ controllers: [GateController] })
class GateModule {}

/** Requests that were sent together, with the statuses of those that were answered. */
class Flood {
  readonly statuses: number[] = [];
  readonly retryAfter = new Set<string | undefined>();
  private readonly requests: ClientRequest[];

  constructor(url: string, headers: Record<string, string>, count: number) {
    const agent = new Agent({ keepAlive: false });
    this.requests = Array.from({ length: count }, () => {
      const asked = request(url, { agent, headers }, (response: IncomingMessage) => {
        this.statuses.push(response.statusCode ?? 0);
        this.retryAfter.add(response.headers['retry-after']);
        response.resume();
      });
      asked.on('error', () => undefined);
      asked.end();
      return asked;
    });
  }

  leave(): void {
    for (const asked of this.requests) asked.destroy();
  }
}

describe('the share of one caller', () => {
  const server = testServer({}, [GateModule]);
  const tenant = testTenant(server);
  const floods: Flood[] = [];
  const sockets: Socket[] = [];

  beforeEach(() => {
    Object.assign(server.app.get(TenantLimits, { strict: false }), { turnMs: 1 });
    gate.shut();
  });
  afterEach(async () => {
    const [limits, { transfers, turnMs }] = [server.app.get(TenantLimits, { strict: false }), new TenantLimits()];
    Object.assign(limits, { turnMs });
    Object.assign(limits.transfers, transfers);
    gate.unlock();
    for (const each of floods.splice(0)) each.leave();
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually('nothing is under way', () => gate.waiting === 0);
  });

  function flood(path: string, headers: Record<string, string>, count: number): Flood {
    const started = new Flood(`${server.url}/api/attacks/${path}`, headers, count);
    floods.push(started);
    return started;
  }

  async function account({ id: tenantId } = tenant): Promise<Record<string, string>> {
    const { key } = await createServiceAccountWithKey(server, { tenantId });
    return { 'x-api-key': key };
  }

  async function answers(headers: Record<string, string>, path: string): Promise<number> {
    return (await server.client(headers).get(path)).status;
  }

  it('leaves the others their turn: an account runs some requests, more wait, and those beyond are told to come again', async () => {
    const [greedy, other] = [await account(), await account()];
    const beyond = 50;
    const sent = flood('account', greedy, RUNNING_OF_ACCOUNT + WAITING_OF_ACCOUNT + beyond);
    await eventually('those beyond are refused', () => sent.statuses.length === beyond);
    expect(new Set(sent.statuses)).toEqual(new Set([503]));
    expect([...sent.retryAfter]).toEqual(['1']);
    await eventually('some are under way', () => gate.waiting === RUNNING_OF_ACCOUNT);
    expect(await answers(other, MEMORY)).toBe(200);

    gate.unlock();
    await eventually('the others are answered', () => sent.statuses.length === RUNNING_OF_ACCOUNT + WAITING_OF_ACCOUNT + beyond);
    expect(sent.statuses.filter((status) => status === 200)).toHaveLength(RUNNING_OF_ACCOUNT + WAITING_OF_ACCOUNT);
  });

  it('is free again when the clients leave, whether they run or wait', async () => {
    const greedy = await account();
    const all = RUNNING_OF_ACCOUNT + WAITING_OF_ACCOUNT;
    const first = flood('account', greedy, all + 1);
    await eventually('all places are taken', () => first.statuses.length === 1);
    first.leave();
    // Their handlers are still at work: only the places are free.
    await eventually('a request of the account is answered', async () => (await answers(greedy, MEMORY)) === 200);
  });

  it('lets transfers go on beside all requests, up to a bound of their own', async () => {
    const greedy = await account();
    const transfers = flood('transfer', greedy, TRANSFERS_OF_ACCOUNT + 5);
    await eventually('those beyond are refused', () => transfers.statuses.length === 5);
    await eventually('the others are under way', () => gate.waiting === TRANSFERS_OF_ACCOUNT);
    expect(await answers(greedy, MEMORY)).toBe(200);
    gate.unlock();
    await eventually('all are done', () => transfers.statuses.filter((status) => status === 200).length === TRANSFERS_OF_ACCOUNT);
  });

  it('leaves other tenants their turn, however many accounts of one tenant ask', async () => {
    const limits = server.app.get(TenantLimits, { strict: false });
    Object.assign(limits, { turnMs: 600_000 });
    const crowd = await Promise.all([1, 2, 3, 4].map(() => account()));
    const other = await account(await createTenant(server));
    for (const each of crowd) flood('account', each, RUNNING_OF_ACCOUNT);
    const alone = shareAlone(limits.requests.running);
    await eventually('the tenant uses nearly all', () => gate.waiting === alone);
    expect(await answers(other, MEMORY)).toBe(200);
    flood('account', other, 10);
    await eventually('the other has its share', () => gate.waiting === alone + limits.requests.beside);
    gate.unlock();
    await eventually('all are answered', () => floods.flatMap(({ statuses }) => statuses).length === 4 * RUNNING_OF_ACCOUNT + 10);
  });

  it('does not count requests of a tenant that wait for long, for a device above all', async () => {
    const crowd = await Promise.all([1, 2, 3].map(() => account()));
    for (const each of crowd) flood('account', each, RUNNING_OF_ACCOUNT);
    await eventually('all have begun', () => gate.waiting === 3 * RUNNING_OF_ACCOUNT);
  });

  it('bounds the transfers of a tenant beside those of others', async () => {
    const { transfers } = server.app.get(TenantLimits, { strict: false });
    Object.assign(transfers, { running: 20 });
    flood('transfer', await account(await createTenant(server)), 1);
    await eventually('the other tenant has one', () => gate.waiting === 1);
    const crowd = await Promise.all([1, 2, 3].map(() => account()));
    const sent = crowd.map((each) => flood('transfer', each, 10));
    await eventually('those beyond are refused', () => sent.flatMap(({ statuses }) => statuses).length === 20);
    expect(new Set(sent.flatMap(({ statuses }) => statuses))).toEqual(new Set([503]));
    await eventually('the others are under way', () => gate.waiting === 11);
  });

  it('bounds anonymous requests by address, and lets accounts and probes of the address pass', async () => {
    const sent = flood('nobody', {}, RUNNING_OF_ADDRESS + WAITING_OF_ADDRESS + 5);
    await eventually('those beyond are refused', () => sent.statuses.length === 5);
    await eventually('some are under way', () => gate.waiting === RUNNING_OF_ADDRESS);
    expect(await answers(await account(), MEMORY)).toBe(200);
    expect(await answers({}, '/alive')).toBe(200);
    expect(await answers({}, '/health')).toBe(200);
    // Another address, as a trusted proxy names it.
    expect(await answers({ 'x-forwarded-for': '198.51.100.7' }, '/api/v1/public-server-settings')).toBe(200);
    expect(await answers({}, '/api/v1/public-server-settings')).toBe(503);
  });

  it('cuts off bodies in parts of one byte, each of which takes far more than that', async () => {
    const { port, hostname } = new URL(server.url);
    const head = 'POST /api/attacks/body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (let number = 0; number < 3; number += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined).resume();
      socket.write(head + '1\r\n \r\n'.repeat(100_000));
    }
    await eventually('the oldest is cut off', () => sockets.some(({ closed }) => closed));
    expect(sockets.every(({ closed }) => closed)).toBe(false);
  });

  it('cuts off the oldest of the bodies that anonymous clients never finish, and takes new ones', async () => {
    const { port, hostname } = new URL(server.url);
    const head = `POST /api/attacks/body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${JSON_BODY_LIMIT}\r\n\r\n`;
    const unfinished = Buffer.alloc(JSON_BODY_LIMIT - 1, ' ');
    const count = Math.ceil(ARRIVING_JSON_LIMIT / unfinished.length) + 4;
    for (let number = 0; number < count; number += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined).resume();
      socket.write(head);
      await new Promise((resolve) => socket.write(unfinished, resolve));
    }
    await eventually('some are cut off', () => sockets.some(({ closed }) => closed));
    const answer = await server.client({}).post('/api/attacks/body', { body: { text: 'x'.repeat(10_000) } });
    expect(answer.status).toBe(201);
    expect(sockets.filter(({ closed }) => closed).length).toBeLessThan(count / 2);
  });
});
