import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { isGuid } from '../../../platform/common/identifiers/guid.js';
import { pagesOf, type Pages } from '../../../platform/common/resources/pages.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { ReadableLogs } from '../readable-logs.js';
import type { AuthorizationChangeLogDto } from '../change-log.dto.js';
import type {
  ChangeLogActDto,
  ChangeLogActsQueryDto,
  ChangeLogActsResponseDto,
  ChangeLogEntriesQueryDto,
  ChangeLogEntriesResponseDto,
  ChangeLogEntryDto,
  ChangeLogFilterDto,
  ChangeLogSubjectsResponseDto,
} from './act.dto.js';
import { ActsRepository, type PlacedEntry } from './acts.repository.js';
import type { EntryFilter, WantedSubjects } from './entry-conditions.js';

/** Names that a search looks up: the closest ones. */
const MAXIMUM_MATCHES = 100;
const MAXIMUM_SUGGESTIONS = 20;

interface Looked {
  readonly filter: EntryFilter;
  readonly isNarrowed: boolean;
}

/** Searches a change log by everything that its entries name. A null tenant selects the log of the server. */
@Injectable()
export class ActSearch {
  constructor(
    private readonly repository: ActsRepository,
    private readonly logs: ReadableLogs,
  ) {}

  /** The acts of which an entry matches, newest first. 404 for a tenant that neither exists nor has a log. */
  async acts({ manager }: RequestContext, tenantId: string | null, query: ChangeLogActsQueryDto): Promise<ChangeLogActsResponseDto> {
    const { filter, isNarrowed } = await this.look(manager, tenantId, query, query.after);
    const found = await this.repository.acts(manager, filter, query.pageSize + 1);
    const times = new Set(found.map(({ at }) => at));
    const hasMore = times.size > query.pageSize;
    const last = [...times].at(-1);
    const shown = await this.named(manager, tenantId, hasMore ? found.filter(({ at }) => at !== last) : found);
    const items = actsOf(shown);
    if (items.length === 0) await this.logs.require(manager, tenantId);
    const next = hasMore ? (items.at(-1)?.id ?? null) : null;
    return { items, next, isNarrowed, isIncomplete: await this.repository.isIncomplete(manager) };
  }

  /** The matching entries one by one, newest first. 404 as above. */
  async entries(
    { manager }: RequestContext,
    tenantId: string | null,
    query: ChangeLogEntriesQueryDto,
  ): Promise<ChangeLogEntriesResponseDto> {
    const { filter } = await this.look(manager, tenantId, query, query.after);
    const found = await this.repository.entries(manager, filter, query.act, query.pageSize + 1);
    const hasMore = found.length > query.pageSize;
    const items = await this.named(manager, tenantId, found.slice(0, query.pageSize));
    if (items.length === 0) await this.logs.require(manager, tenantId);
    return { items, next: hasMore ? (items.at(-1)?.id ?? null) : null };
  }

  /** All matching entries, newest first. 404 as above. */
  export(context: RequestContext, tenantId: string | null, query: ChangeLogFilterDto): Pages<ChangeLogEntryDto> {
    return pagesOf<ChangeLogEntryDto>(async (last, pageSize) => {
      return (await this.entries(context, tenantId, { ...query, act: null, after: last?.id ?? null, pageSize })).items;
    });
  }

  /** The subjects in a log whose name contains a text, with deleted ones. */
  async subjects({ manager }: RequestContext, tenantId: string | null, search: string): Promise<ChangeLogSubjectsResponseDto> {
    const items = await this.repository.matches(manager, tenantId, search.trim(), MAXIMUM_SUGGESTIONS);
    if (items.length === 0) await this.logs.require(manager, tenantId);
    return { items };
  }

  /** Looks up the subjects of a search. The rarest come first: the walk begins with them. */
  private async look(manager: EntityManager, tenantId: string | null, given: ChangeLogFilterDto, after: string | null): Promise<Looked> {
    const { subjectId, actorId, permission, reference, actions, from, to } = given;
    const search = given.search?.trim() ?? '';
    const matches = search === '' || isGuid(search) ? [] : await this.repository.matches(manager, tenantId, search, MAXIMUM_MATCHES + 1);
    const ids = isGuid(search) ? [search.toLowerCase()] : matches.slice(0, MAXIMUM_MATCHES).map(({ id }) => id);
    const wanted: WantedSubjects[] = [];
    const want = (subjects: readonly string[], asActor = false): number => wanted.push({ ids: subjects, asActor });
    if (subjectId !== null) want([subjectId]);
    if (reference !== null) want([idOfName('Reference', reference)]);
    if (search !== '') want(ids);
    if (permission !== null) want([idOfName('Permission', permission)]);
    if (actorId !== null) want([actorId], true);
    const filter = { tenantId, wanted, actions: actions?.split(',') ?? null, from, to, after };
    return { filter, isNarrowed: matches.length > MAXIMUM_MATCHES };
  }

  private async named<T extends AuthorizationChangeLogDto>(
    manager: EntityManager,
    tenantId: string | null,
    entries: readonly T[],
  ): Promise<(T & ChangeLogEntryDto)[]> {
    const ids = entries.map(({ id }) => id);
    const subjects = ids.length === 0 ? new Map<string, never>() : await this.repository.subjectsOf(manager, tenantId, ids);
    return entries.map((entry) => ({ ...entry, subjects: subjects.get(entry.id) ?? [] }));
  }
}

/** The id that the database gives a permission, preset or reference. */
function idOfName(kind: 'Permission' | 'Reference', name: string): string {
  const hash = createHash('md5').update(`${kind}:${name}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Puts entries in the order of their acts together. */
function actsOf(entries: readonly (PlacedEntry & ChangeLogEntryDto)[]): ChangeLogActDto[] {
  const acts: (ChangeLogActDto & { readonly at: string })[] = [];
  for (const { at, total, requestId, ...entry } of entries) {
    const last = acts.at(-1);
    if (last?.at === at && last.requestId === requestId) last.entries.push(entry);
    else acts.push({ at, id: entry.id, createdAt: entry.createdAt, requestId, total, entries: [entry] });
  }
  return acts.map(({ id, createdAt, requestId, total, entries: written }) => ({ id, createdAt, requestId, total, entries: written }));
}
