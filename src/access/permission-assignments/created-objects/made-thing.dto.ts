import { Guid, Instant, ListOf, Text } from '../../../platform/http/binding/fields.js';

/** An object that a principal created and that gives rights to another principal, or to anyone who knows its secret. */
export class MadeThingDto {
  @Text(
    'Kind of the object: `User`, `ServiceAccount`, `ServiceAccountCredential`, `PersonalAccessToken`, `LogonToken`, `InstallerKey` or `PermissionAssignment`.',
    { example: 'ServiceAccount' },
  )
  kind: string;
  @Guid('Its id, under which the routes of its kind change or delete it.') id: string;
  @Text('Its name; for an assignment, that of the permission. Null when it has none.', { nullable: true, example: 'Backup script' })
  name: string | null;
  @Guid('Id of the holder: the principal of an assignment, the user of a token, the account of a credential; null for the others.', {
    nullable: true,
  })
  holderId: string | null;
  @Instant('Creation time of the object.') createdAt: Date;
}

export class MadeThingsQueryDto {
  @Guid('Id of the user or service account that created them. It may be deleted.') principalId: string;
}

export class MadeThingsResponseDto {
  @ListOf('Objects that the principal created, newest first.', () => MadeThingDto) items: MadeThingDto[];
}
