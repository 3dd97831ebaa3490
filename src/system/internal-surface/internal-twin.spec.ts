import { Body, Controller, Get, HttpCode, Post, Put, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HTTP_CODE_METADATA, INTERCEPTORS_METADATA } from '@nestjs/common/internal';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';

import { AccessDeclarations, type DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import { RequireAccess, RequireAuthenticated, TenantInBody, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { loadSwagger } from '../../platform/http/described.js';
import { CachedConstant } from '../../platform/http/response-cache.js';
import { Answers } from '../openapi/operation.js';
import { internalTwinOf, TwinOf } from './internal-twin.js';

class Thing {}

@Controller('api/v1/things')
@TenantInQuery()
class ThingsController {
  readonly calls: unknown[] = [];

  @Get()
  @RequireAuthenticated()
  @CachedConstant(60, { private: true })
  @Answers(200, 'The things.', Thing)
  list(): void {}

  @Post()
  @LocatedAt('/api/v1/things/{id}')
  @RequireAccess(Permission.TenantTagsWrite)
  @Answers(201, 'The thing.', Thing)
  create(): void {}

  @Put(':thingId')
  @RequireAccess(Permission.TenantTagsWrite)
  @HttpCode(204)
  @Answers(204, 'It is renamed.', null)
  rename(@GuidParam('thingId', 'Id.') thingId: string, @Body() body: object): void {
    this.calls.push([thingId, body]);
  }

  @Post('made')
  @TenantInBody()
  @RequireAuthenticated()
  @Answers(200, 'It is made.', Thing)
  make(): void {}
}

class InternalThingsController extends internalTwinOf(ThingsController, 'api/things', {
  list: {},
  create: { status: 200, failures: { 404: { body: 'text' } } },
  make: { path: 'made-otherwise' },
}) {
  @TwinOf(ThingsController, 'rename', { status: 200 })
  @Put()
  renameNamed(@Body() { thingId, ...body }: { readonly thingId: string }): void {
    this.rename(thingId, body);
  }
}

async function routesOf(...controllers: Type[]): Promise<ReadonlyMap<string, DeclaredRoute>> {
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers: [AccessDeclarations], controllers }).compile();
  await module.init();
  return new Map(
    module
      .get(AccessDeclarations)
      .all()
      .map((route) => [`${route.method} ${route.path}`, route]),
  );
}

const ofV1 = ThingsController.prototype as unknown as Readonly<Record<string, object>>;
const handler = (name: string): object => (InternalThingsController.prototype as unknown as Record<string, object>)[name];

describe('an internal controller', () => {
  it('has the routes that are listed, and no other', async () => {
    const routes = await routesOf(InternalThingsController);
    expect([...routes.keys()].sort()).toEqual([
      'GET /api/things',
      'POST /api/things',
      'POST /api/things/made-otherwise',
      'PUT /api/things',
    ]);
  });

  it('leaves the routes of version 1 as they are', async () => {
    const alone = await routesOf(ThingsController);
    const beside = await routesOf(InternalThingsController, ThingsController);
    for (const [key, route] of alone) expect(beside.get(key)).toEqual(route);
    expect(Reflect.getMetadata(HTTP_CODE_METADATA, ofV1.create)).toBeUndefined();
  });

  it('takes over access and caching', async () => {
    const [internal, v1] = [await routesOf(InternalThingsController), await routesOf(ThingsController)];
    expect(internal.get('POST /api/things')?.access).toEqual(v1.get('POST /api/v1/things')?.access);
    expect(internal.get('PUT /api/things')?.access).toEqual(v1.get('PUT /api/v1/things/:thingId')?.access);
    expect(internal.get('GET /api/things')?.cache).toEqual({ seconds: 60, private: true });
  });

  it("works in the caller's tenant, wherever the twin takes it", async () => {
    for (const { tenant } of (await routesOf(InternalThingsController)).values())
      expect(tenant).toEqual({ carrier: 'claim', isObject: false });
  });

  it('names the routes that replace it: with the tenant if the query has it, and with the verb if it differs', async () => {
    const routes = await routesOf(InternalThingsController);
    expect(routes.get('GET /api/things')?.replacement).toBe('/api/v1/things?tenantId={tenantId}');
    expect(routes.get('PUT /api/things')?.replacement).toBe('/api/v1/things/{thingId}?tenantId={tenantId}');
    expect(routes.get('POST /api/things/made-otherwise')?.replacement).toBe('/api/v1/things/made');
    class OtherVerbController extends internalTwinOf(ThingsController, 'api/others', {}) {
      @TwinOf(ThingsController, 'rename')
      @Post()
      renameByPost(): void {}
    }
    const others = await routesOf(OtherVerbController);
    expect(others.get('POST /api/others')?.replacement).toBe('PUT /api/v1/things/{thingId}?tenantId={tenantId}');
  });

  it('declares status and failures, and answers no Location', async () => {
    const create = handler('create');
    expect(Reflect.getMetadata(HTTP_CODE_METADATA, create)).toBe(200);
    expect(Reflect.getMetadata(INTERCEPTORS_METADATA, create)).toEqual([]);
    const route = (await routesOf(InternalThingsController)).get('POST /api/things');
    expect(route).toMatchObject({ location: null, failures: { 404: { body: 'text' } } });
    expect(Reflect.getMetadata(HTTP_CODE_METADATA, handler('renameNamed'))).toBe(200);
  });

  it('takes the path segments of a handler of its own from that handler', async () => {
    expect((await routesOf(InternalThingsController)).get('PUT /api/things')?.guidSegments).toEqual([]);
  });

  it('calls the handlers of version 1', () => {
    const controller = new InternalThingsController();
    const body = { thingId: 'one', name: 'New' };
    controller.renameNamed(body);
    expect(controller.calls).toEqual([['one', { name: 'New' }]]);
    expect([handler('create'), handler('rename')].map((twin) => (twin as { name: string }).name)).toEqual(['create', 'rename']);
  });

  it('has to name existing routes, and a method before TwinOf', () => {
    const own = (): void => undefined;
    const decorate = TwinOf(ThingsController, 'rename');
    expect(() => decorate({}, 'own', { value: own })).toThrow('Below TwinOf, own has no decorator with its method.');
  });

  it('cannot be described with the items of an answer that has none', async () => {
    internalTwinOf(ThingsController, 'api/things', { list: { bareList: true } });
    await expect(loadSwagger()).rejects.toThrow('Thing is no list of items.');
  });
});
