import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { Accounts } from '../users/accounts.js';
import { PERSONAL_DATA, type PersonalTable } from './personal-tables.js';

type Row = Readonly<Record<string, unknown>> & { readonly page_key: string };

/** Reads everything that is stored about a user, without secrets. */
@Injectable()
export class PersonalData {
  constructor(
    private readonly accounts: Accounts,
    private readonly securityLog: SecurityLog,
  ) {}

  /** The data of the calling user: one list for each kind, read while it is sent. */
  async of({ manager, principal }: RequestContext, origin: SecurityOrigin): Promise<Readonly<Record<string, unknown>>> {
    const userId = userIdOf(principal);
    const account = await this.accounts.find(manager, userId);
    if (account === null) throw unauthorized('The account was deleted.');
    await this.securityLog.write(manager, { user: account, kind: 'PersonalDataDownloaded' }, origin);
    return Object.fromEntries(Object.entries(PERSONAL_DATA).map(([name, table]) => [name, read(manager, userId, table)]));
  }
}

function read(manager: EntityManager, userId: string, { table, columns, where, key = 'id' }: PersonalTable): Pages<object> {
  const sql = `
    SELECT ${columns.join(', ')}, ${key} AS page_key FROM ${table}
    WHERE (${where}) AND ($2::uuid IS NULL OR ${key} > $2) ORDER BY ${key} LIMIT $3`;
  const pages = pagesOf<Row>((after, limit) => readRows(manager, sql, [userId, after?.page_key, limit]));
  return mapPages(pages, ({ page_key: _key, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [inCamelCase(column), value])),
  );
}

function inCamelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
