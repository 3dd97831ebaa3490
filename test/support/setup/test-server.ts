import { afterAll, afterEach, beforeAll } from 'vitest';

import type { Type } from '@nestjs/common';

import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { TestApp, type Stoppable } from '../application/app.js';
import { createTenant } from '../fixtures/factories.js';

/*
 * The set-up of a spec. Call these functions at the top of a file or of a `describe` block. Each registers hooks that
 * create and remove what it returns. They can be combined with other hooks: hooks run in the order of the calls.
 */

/**
 * The application: starts before the first test and stops after the last. `env` adds or replaces configuration,
 * `modules` adds Nest modules for these tests only. Before the start, everything that needs the running application
 * throws.
 */
export function testServer(env: Record<string, string> = {}, modules: readonly Type[] = []): TestApp {
  const server = new TestApp(env, modules);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}

/** An empty tenant that is stored before the first test. Its id is available at once, the rest after it is stored. */
export function testTenant(server: TestApp): Tenant {
  const tenant = Object.assign(new Tenant(), { id: newGuid() });
  beforeAll(async () => Object.assign(tenant, await createTenant(server, { id: tenant.id })));
  return tenant;
}

/** Returns a function that takes something started, stops it after the test (the last one first), and returns its argument. */
export function stopAfterEach(): <T extends Stoppable>(started: T) => T {
  const running: Stoppable[] = [];
  afterEach(async () => {
    for (const started of running.splice(0).reverse()) await started.stop();
  });
  return (started) => {
    running.push(started);
    return started;
  };
}
