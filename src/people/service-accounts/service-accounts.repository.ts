import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';

import { notFound } from '../../platform/common/errors/errors.js';
import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { ServiceAccount, ServiceAccountCredential, ServiceAccountKind } from './service-account.entity.js';

/** Owner of the accounts that an operation reaches: the server (null) or one tenant. */
export type AccountOwner = string | null;

/** Reads service accounts and their credentials. */
@Injectable()
export class ServiceAccountsRepository {
  /** The owner's accounts by name. */
  list(manager: EntityManager, owner: AccountOwner): Pages<ServiceAccount> {
    return pagesOf<ServiceAccount>((after, take) => {
      const where = { ...ownedBy(owner), ...(after === null ? {} : { name: MoreThan(after.name) }) };
      return manager.find(ServiceAccount, { where, order: { name: 'ASC' }, take });
    });
  }

  /** Checks that the owner has an account of that name, or any account when no name is given. */
  exists(manager: EntityManager, owner: AccountOwner, name?: string): Promise<boolean> {
    return manager.exists(ServiceAccount, { where: { ...ownedBy(owner), ...(name === undefined ? {} : { name }) } });
  }

  /** An account; 404 when the owner has none with this id. */
  async find(manager: EntityManager, owner: AccountOwner, id: string): Promise<ServiceAccount> {
    return found(await manager.findOne(ServiceAccount, { where: { ...ownedBy(owner), id } }));
  }

  /** The same, locked. Every change of an account or of its credentials locks the account, so that no two of them interleave. */
  async lock(manager: EntityManager, owner: AccountOwner, id: string): Promise<ServiceAccount> {
    return found(await manager.findOne(ServiceAccount, { where: { ...ownedBy(owner), id }, lock: { mode: 'pessimistic_write' } }));
  }

  /** The credentials of an account in order of creation. */
  async credentialsOf(manager: EntityManager, account: ServiceAccount): Promise<ServiceAccountCredential[]> {
    return (await this.credentialsByAccount(manager, [account])).get(account.id) ?? [];
  }

  /** The credentials of accounts, by account id and in order of creation. Accounts without any have no entry. */
  async credentialsByAccount(
    manager: EntityManager,
    accounts: readonly ServiceAccount[],
  ): Promise<ReadonlyMap<string, ServiceAccountCredential[]>> {
    const byAccount = new Map<string, ServiceAccountCredential[]>();
    if (accounts.length === 0) return byAccount;
    const credentials = await manager.find(ServiceAccountCredential, {
      where: { serviceAccountId: In(accounts.map(({ id }) => id)) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    for (const credential of credentials) {
      const known = byAccount.get(credential.serviceAccountId);
      if (known === undefined) byAccount.set(credential.serviceAccountId, [credential]);
      else known.push(credential);
    }
    return byAccount;
  }

  /** A credential; 404 when the account has none with this id. */
  async credential(manager: EntityManager, serviceAccountId: string, id: string): Promise<ServiceAccountCredential> {
    const credential = await manager.findOne(ServiceAccountCredential, { where: { id, serviceAccountId } });
    if (credential === null) throw notFound('The credential');
    return credential;
  }
}

function ownedBy(owner: AccountOwner): FindOptionsWhere<ServiceAccount> {
  return owner === null ? { kind: ServiceAccountKind.Server, tenantId: IsNull() } : { kind: ServiceAccountKind.Tenant, tenantId: owner };
}

function found(account: ServiceAccount | null): ServiceAccount {
  if (account === null) throw notFound('The service account');
  return account;
}
