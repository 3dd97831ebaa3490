import { describe, expect, it } from 'vitest';
import { Controller, Delete, Get, Post, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';

import { Permission } from '../permissions/permission.js';
import { AccessDeclarations } from './access-declarations.js';
import { AllowAnonymous, on, RequireAccess, RequireAuthenticated, TenantInPath, TenantInQuery, TenantIsObject } from './access.js';

@Controller('things')
@TenantInQuery()
class DeclaredController {
  @Get()
  @RequireAccess(Permission.TenantRead)
  list(): void {}

  @Get(':thingId')
  @RequireAuthenticated()
  get(): void {}

  @Post('public')
  @AllowAnonymous()
  post(): void {}

  @Delete(':tenantId')
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsDelete, on.server)
  remove(): void {}

  /** Not a route, so it declares nothing. */
  helper(): void {}
}

@Controller('undeclared')
@TenantInPath()
class UndeclaredController {
  @Get()
  @AllowAnonymous()
  declared(): void {}

  @Post()
  forgotten(): void {}

  @Delete()
  forgottenToo(): void {}
}

@Controller('homeless')
class HomelessController {
  @Get()
  @RequireAccess(Permission.TenantRead)
  list(): void {}
}

async function start(...controllers: Type[]): Promise<AccessDeclarations> {
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers: [AccessDeclarations], controllers }).compile();
  await module.init();
  return module.get(AccessDeclarations);
}

describe('the start of the service', () => {
  it('is refused when routes declare no access, and names every such route', async () => {
    await expect(start(DeclaredController, UndeclaredController)).rejects.toThrow(
      'These routes declare no access (RequireAccess, RequireSignedIn, RequireAuthenticated or AllowAnonymous): ' +
        'UndeclaredController.forgotten, UndeclaredController.forgottenToo.',
    );
  });

  it('is refused when a route checks a permission on a tenant that it does not take', async () => {
    await expect(start(HomelessController)).rejects.toThrow('HomelessController.list');
  });

  it('collects the declarations of every route', async () => {
    const declarations = await start(DeclaredController);
    const routes = declarations
      .all()
      .map(({ method, path, access, tenant }) => [method, path, access.kind, tenant?.carrier, tenant?.isObject]);
    expect(routes).toEqual([
      ['GET', '/things', 'Permission', 'query', false],
      ['GET', '/things/:thingId', 'Authenticated', 'query', false],
      ['POST', '/things/public', 'Anonymous', 'query', false],
      ['DELETE', '/things/:tenantId', 'Permission', 'path', true],
    ]);
  });

  it('finds the methods of a path', async () => {
    const declarations = await start(DeclaredController);
    expect(declarations.methodsOf('/things')).toEqual(['GET', 'HEAD']);
    expect(declarations.methodsOf('/THINGS/public')).toEqual(['GET', 'HEAD', 'POST']);
    expect(declarations.methodsOf('/things/1')).toEqual(['GET', 'HEAD']);
    // A tenant in a path must be a GUID.
    expect(declarations.methodsOf('/things/0197d2c4-6a52-7c11-9d8e-3f1b2a4c5d6e')).toEqual(['DELETE', 'GET', 'HEAD']);
    expect(declarations.methodsOf('/nothing')).toEqual([]);
  });
});
