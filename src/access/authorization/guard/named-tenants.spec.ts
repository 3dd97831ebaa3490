import { beforeEach, describe, expect, it } from 'vitest';

import type { InvalidationBus, InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import type { RulesRepository } from '../evaluation/rules.repository.js';
import { NamedTenants } from './named-tenants.js';

const ID = '01890000-0000-7000-8000-000000000001';

let stored: Set<string>;
let queries: number;
let isListening: boolean;
let listeners: InvalidationListener[];
let tenants: NamedTenants;

beforeEach(() => {
  stored = new Set([ID]);
  queries = 0;
  isListening = true;
  listeners = [];
  const repository: Pick<RulesRepository, 'tenantExists'> = {
    tenantExists: (id) => {
      queries += 1;
      return Promise.resolve(stored.has(id));
    },
  };
  const bus: Pick<InvalidationBus, 'isListening' | 'subscribe'> = {
    get isListening() {
      return isListening;
    },
    subscribe: (listener) => void listeners.push(listener),
  };
  tenants = new NamedTenants(repository as RulesRepository, bus as InvalidationBus);
});

describe('the existence of a tenant', () => {
  it('is looked up once', async () => {
    for (let request = 0; request < 5; request += 1) await tenants.require(ID);
    expect(queries).toBe(1);
  });

  it('is not cached for an unknown tenant, which may be created later', async () => {
    stored.clear();
    await expect(tenants.require(ID)).rejects.toThrow('The tenant was not found.');
    stored.add(ID);
    await expect(tenants.require(ID)).resolves.toBeUndefined();
  });

  it.each([['a deletion, or anything that may have been missed', (listener: InvalidationListener) => listener.forgetAll()]])(
    'is forgotten on %s',
    async (_what, notify) => {
      await tenants.require(ID);
      stored.clear();
      listeners.forEach(notify);
      await expect(tenants.require(ID)).rejects.toThrow('The tenant was not found.');
    },
  );

  it('is not cached when the tenant is deleted during the look-up', async () => {
    const asking = tenants.exists(ID);
    for (const listener of listeners) listener.forgetAll();
    stored.clear();
    await asking;
    expect(await tenants.exists(ID)).toBe(false);
  });

  it('is looked up every time while the invalidation bus is down', async () => {
    isListening = false;
    await tenants.require(ID);
    stored.clear();
    await expect(tenants.require(ID)).rejects.toThrow('The tenant was not found.');
  });
});
