import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors.js';
import { Topic } from '../database/invalidation-topics.js';
import { InvalidationBus, type InvalidationListener } from '../database/invalidation-bus.js';
import { KeyedCache } from '../database/keyed-cache.js';
import { RulesRepository } from './rules.repository.js';

/** Tenants that are remembered at most. */
const CACHED_TENANTS = 20_000;

/**
 * Whether the tenant that a request names exists. Tenants that exist are remembered until they are deleted, so that only a
 * request for an unknown tenant costs a query.
 */
@Injectable()
export class NamedTenants implements InvalidationListener {
  private readonly known: KeyedCache<true | null>;

  constructor(
    private readonly repository: RulesRepository,
    invalidations: InvalidationBus,
  ) {
    this.known = new KeyedCache(CACHED_TENANTS, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /** Whether there is a tenant with this id. */
  async exists(id: string): Promise<boolean> {
    return (await this.known.get(id, async () => ((await this.repository.tenantExists(id)) ? true : null))) !== null;
  }

  /** 404 unless there is a tenant with this id. */
  async require(id: string): Promise<void> {
    if (!(await this.exists(id))) throw notFound('The tenant');
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Tenant) this.known.forget(id);
  }

  forgetAll(): void {
    this.known.clear();
  }
}
