import { Bool, Guid, Instant, Int, ListOf, PageSize, Text } from '../../../platform/http/binding/fields.js';
import { type ExportFormat, ExportFormatField } from '../../../platform/http/bodies/export-format.js';
import { AuthorizationChangeLogDto } from '../change-log.dto.js';

const MAXIMUM_SEARCH_LENGTH = 128;
const MAXIMUM_PERMISSION_LENGTH = 150;
const MAXIMUM_REFERENCE_LENGTH = 252;
const MAXIMUM_ACTIONS_LENGTH = 3_000;
const ACTIONS = /^[a-z0-9-]+(,[a-z0-9-]+)*$/;

/** Filters of the change log. An entry matches all that are given. */
export class ChangeLogFilterDto {
  @Text('Part of a name or e-mail address, of a permission or of an external reference, or an id, that the entry is about.', {
    nullable: true,
    max: MAXIMUM_SEARCH_LENGTH,
    example: 'anna',
  })
  search: string | null;
  @Guid('Only changes by this user or service account.', { nullable: true }) actorId: string | null;
  @Guid('Only entries that concern this person or object, or that it wrote.', { nullable: true }) subjectId: string | null;
  @Text('Only entries about this permission.', { nullable: true, max: MAXIMUM_PERMISSION_LENGTH, example: 'device.terminal.use' })
  permission: string | null;
  @Text('Only entries with this external reference of a user or session.', {
    nullable: true,
    max: MAXIMUM_REFERENCE_LENGTH,
    example: 'ticket-20417',
  })
  reference: string | null;
  @Text('Only these actions, separated by commas.', {
    nullable: true,
    max: MAXIMUM_ACTIONS_LENGTH,
    pattern: ACTIONS,
    example: 'user-created,user-deleted',
  })
  actions: string | null;
  @Instant('Only entries of this time or later.', { nullable: true }) from: Date | null;
  @Instant('Only entries of this time or earlier.', { nullable: true }) to: Date | null;
}

export class ChangeLogActsQueryDto extends ChangeLogFilterDto {
  @Guid('Acts older than this one: the id of the last act of the page before.', { nullable: true }) after: string | null;
  @PageSize('Acts', { min: 1, max: 100, default: 50 }) pageSize: number;
}

export class ChangeLogEntriesQueryDto extends ChangeLogFilterDto {
  @Guid('Only entries of the act to which this entry belongs.', { nullable: true }) act: string | null;
  @Guid('Entries older than this one: the id of the last entry of the page before.', { nullable: true }) after: string | null;
  @PageSize('Entries', { min: 1, max: 200, default: 50 }) pageSize: number;
}

export class ChangeLogExportQueryDto extends ChangeLogFilterDto {
  @ExportFormatField() format: ExportFormat;
}

export class ChangeLogSubjectsQueryDto {
  @Text('Part of a name, e-mail address, permission or external reference.', { min: 1, max: MAXIMUM_SEARCH_LENGTH, example: 'anna' })
  search: string;
}

class ChangeLogSubjectDto {
  @Guid('Id of the person or object; of a permission, preset or reference, one that is made of its name.') id: string;
  @Text('Kind of the object, such as `User` or `Device`; `Permission`, `Preset` or `Reference` for what is none.', { example: 'User' })
  kind: string;
  @Text('Its name when the entry was written, or else the latest that is known; null if none is.', { nullable: true, example: 'Anna Berg' })
  name: string | null;
}

export class NamedSubjectDto extends ChangeLogSubjectDto {
  @Text('The user name, where it differs from the name.', { nullable: true, example: 'anna@contoso.example' }) login: string | null;
}

export class EntrySubjectDto extends ChangeLogSubjectDto {
  @Bool('True for the actor of the entry.') isActor: boolean;
  @Bool('True if the person or object still exists in the tenant of the log.') exists: boolean;
}

export class ChangeLogEntryDto extends AuthorizationChangeLogDto {
  @ListOf('Persons and objects that the entry names, the actor and the target first. At most 20.', () => EntrySubjectDto)
  subjects: EntrySubjectDto[];
}

export class ChangeLogActDto {
  @Guid('Id of one of its entries; asks for the next page.') id: string;
  @Instant('Time of the change.') createdAt: Date;
  @Text('Id of the request, as in the log of the service.', { nullable: true, example: '4bf92f3577b34da6a3ce929d0e0e4736' })
  requestId: string | null;
  @Int('Number of its entries, also of those that do not match.', { example: 27 }) total: number;
  @ListOf('At most 30 of its entries: those that match, in the order in which they were written.', () => ChangeLogEntryDto)
  entries: ChangeLogEntryDto[];
}

export class ChangeLogActsResponseDto {
  @ListOf('The acts of the page, newest first.', () => ChangeLogActDto) items: ChangeLogActDto[];
  @Guid('The `after` of the next page; null on the last one.', { nullable: true }) next: string | null;
  @Bool('True if more names match the search than are looked up: only the closest count.') isNarrowed: boolean;
  @Bool('True while entries from before an upgrade are still missing from searches.') isIncomplete: boolean;
}

export class ChangeLogEntriesResponseDto {
  @ListOf('The entries of the page, newest first.', () => ChangeLogEntryDto) items: ChangeLogEntryDto[];
  @Guid('The `after` of the next page; null on the last one.', { nullable: true }) next: string | null;
}

export class ChangeLogSubjectsResponseDto {
  @ListOf('The closest matches, at most 20.', () => NamedSubjectDto) items: NamedSubjectDto[];
}
