import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Controller, Get, Injectable, Param, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Request } from 'express';
import { EntityManager } from 'typeorm';

import type { RequestContext } from '../../../src/access/authentication/principals/request-context.js';
import { notFound } from '../../../src/platform/common/errors/errors.js';
import { Clock } from '../../../src/platform/common/runtime/clock.js';
import { ProblemDetailsFilter } from '../../../src/platform/http/problems/problem-details.filter.js';
import { RefusalLog } from '../../../src/platform/http/problems/refusal-log.js';
import { Cached } from '../../../src/platform/http/response-cache.js';
import { ApiClient } from '../../support/application/api-client.js';
import { TestClock } from '../../support/application/test-clock.js';

let calls = 0;

/** Accepts callers that name themselves, in place of the access guard. */
@Injectable()
class NamedCaller implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Request>();
    const id = request.headers['x-caller'];
    if (typeof id !== 'string') return false;
    const context: RequestContext = {
      principal: { type: 'ServerServiceAccount', id, name: id, credentialId: id, accessMode: 'Restricted' },
      tenantId: null,
      requestId: id,
      remoteAddress: null,
      manager: Object.create(EntityManager.prototype) as EntityManager,
    };
    request.context = context;
    return true;
  }
}

@Controller()
class CountingController {
  @Get('public/:value')
  @Cached(60)
  public(@Param('value') value: string): { readonly value: string; readonly calls: number } {
    calls += 1;
    if (value === 'missing') throw notFound('It');
    return { value, calls };
  }

  @Get('private')
  @UseGuards(NamedCaller)
  @Cached(30, { private: true })
  private(): { readonly calls: number } {
    calls += 1;
    return { calls };
  }
}

describe('cached answers', () => {
  const clock = new TestClock();
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    clock.stop();
    const module = await Test.createTestingModule({
      controllers: [CountingController],
      providers: [{ provide: Clock, useValue: clock }],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    app.useGlobalFilters(
      new ProblemDetailsFilter({
        showStack: false,
        methodsOf: () => [],
        refusals: new RefusalLog(new Clock()),
        addressOf: () => '',
        challenge: '',
      }),
    );
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    calls = 0;
    clock.advance(60_000);
  });

  afterAll(() => app.close());

  const get = (path: string, caller?: string) => new ApiClient(url, caller === undefined ? {} : { 'x-caller': caller }).get(path);

  it('are cached for their time, whatever the query contains', async () => {
    const first = await get('/public/a');
    expect(first.body).toEqual({ value: 'a', calls: 1 });
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    clock.advance(59_000);
    const kept = await get('/public/a?noise=1');
    expect(kept.body).toEqual(first.body);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=60');
    expect(kept.headers.get('age')).toBe('59');
    expect((await get('/public/b')).body).toEqual({ value: 'b', calls: 2 });
    clock.advance(1_000);
    expect((await get('/public/a')).body).toEqual({ value: 'a', calls: 3 });
  });

  it('do not last longer when the clock is put back', async () => {
    expect((await get('/public/a')).body).toEqual({ value: 'a', calls: 1 });
    clock.advance(-3_600_000);
    const answer = await get('/public/a');
    expect([answer.body, answer.headers.get('age')]).toEqual([{ value: 'a', calls: 2 }, null]);
    clock.advance(3_600_000);
  });

  it('do not include errors', async () => {
    for (const attempt of [1, 2]) {
      const answer = await get('/public/missing');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control')).toBeNull();
      expect(calls).toBe(attempt);
    }
  });

  it('that are private belong to one caller and are never given to callers that the guard refuses', async () => {
    const first = await get('/private', 'ann');
    expect(first.body).toEqual({ calls: 1 });
    expect(first.headers.get('cache-control')).toBe('private, max-age=30');
    expect((await get('/private', 'ann')).body).toEqual({ calls: 1 });
    expect((await get('/private', 'bob')).body).toEqual({ calls: 2 });
    expect((await get('/private')).status).toBe(403);
  });

  it('are limited in number: the oldest is dropped', async () => {
    await get('/public/0');
    for (let value = 1; value <= 256; value += 1) await get(`/public/${value}`);
    calls = 1_000;
    expect((await get('/public/256')).body).toMatchObject({ calls: 257 });
    expect((await get('/public/0')).body).toMatchObject({ calls: 1_001 });
  });
});
