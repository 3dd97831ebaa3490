import { afterAll, afterEach, beforeAll } from '@jest/globals';

import type { Type } from '@nestjs/common';

import { newGuid } from '../../src/common/guid.js';
import { Tenant } from '../../src/tenants/tenant.entity.js';
import { TestApp, type Stoppable } from './app.js';
import { createTenant } from './factories.js';

/*
 * The prelude of a spec. Each function is called at the top of a file or of a `describe` block, registers the hooks that
 * make and remove what it returns, and can be combined with hooks of the spec's own: they run in the order of the calls.
 */

/**
 * The application: starts before the first test and stops after the last. `env` adds or replaces configuration, `modules`
 * adds Nest modules that only these tests have. Until it has started, what only a running application has throws.
 */
export function testServer(env: Record<string, string> = {}, modules: readonly Type[] = []): TestApp {
  const server = new TestApp(env, modules);
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}

/** A tenant without anything in it, stored before the first test. It has its id at once, the rest when it is stored. */
export function testTenant(server: TestApp): Tenant {
  const tenant = Object.assign(new Tenant(), { id: newGuid() });
  beforeAll(async () => Object.assign(tenant, await createTenant(server, { id: tenant.id })));
  return tenant;
}

/** Returns a function that takes what was started and has it stopped after the test, the last first. It returns its argument. */
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
