import { Injectable } from '@nestjs/common';

import { notFound } from '../../../platform/common/errors/errors.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { KeyedCache } from '../../../platform/database/invalidation/keyed-cache.js';
import { RulesRepository } from '../evaluation/rules.repository.js';

/** Most tenants that are cached. */
const CACHED_TENANTS = 20_000;

/**
 * Checks that the tenant of a request exists. Existing tenants are cached until they are deleted, so only requests for unknown tenants cost
 * a query.
 */
@Injectable()
export class NamedTenants implements InvalidationListener {
  private readonly known: KeyedCache<true | null>;

  constructor(
    private readonly repository: RulesRepository,
    invalidations: InvalidationBus,
  ) {
    this.known = new KeyedCache('tenants', CACHED_TENANTS, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /** Checks whether a tenant with this id exists. */
  async exists(id: string): Promise<boolean> {
    return (await this.known.get(id, async () => ((await this.repository.tenantExists(id)) ? true : null))) !== null;
  }

  /** 404 unless a tenant with this id exists. */
  async require(id: string): Promise<void> {
    if (!(await this.exists(id))) throw notFound('The tenant');
  }

  /** Does nothing: the deletion of a tenant makes all caches forget everything. */
  forget(): void {}

  forgetAll(): void {
    this.known.clear();
  }
}
