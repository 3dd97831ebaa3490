import { Injectable } from '@nestjs/common';

import { holdCaller } from '../../access/authentication/principals/hold-caller.js';
import { dataOwnerOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { conflict, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { NamedTexts, type NamedTextChange } from '../../tenants/named-settings/named-texts.js';
import { MAXIMUM_KEY_LENGTH, STORAGE_KEY, type UserStorageRequestDto, type UserStorageResponseDto } from './user-storage.dto.js';

/** Most stored values of a principal. */
export const MAXIMUM_STORED_VALUES = 200;

/** Precondition of a write: the text that it replaces, and the expected tags. */
interface Condition {
  readonly replaces: string | null;
  readonly expected: ExpectedTags | undefined;
}

const TEXTS = new NamedTexts({
  table: 'user_storage_items',
  ownerColumn: 'principal_id',
  nameColumn: 'key',
  maximum: MAXIMUM_STORED_VALUES,
});

/** The editable state of a stored value: the text, as long as there is one. */
export const storedTextState = new TaggedState(({ value }: Pick<UserStorageResponseDto, 'value'>) => ({ value }));

/** Values that the front end stores on the server for its caller, a user or a service account. The service itself does not use them. */
@Injectable()
export class UserStorageService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The caller's value for a key, or null when there is none. */
  async get(context: RequestContext, key: string): Promise<UserStorageResponseDto | null> {
    requireKey(key);
    const text = await TEXTS.one(context.manager, dataOwnerOf(context.principal), key);
    return text === null ? null : { key, value: text.value };
  }

  /**
   * Stores a value, which may be empty, and replaces an earlier one; 409 if that has to be a certain one and is not, 412 if it is in no
   * expected state or not there.
   */
  async set(
    context: RequestContext,
    { key, value, replaces }: UserStorageRequestDto,
    expected?: ExpectedTags,
  ): Promise<UserStorageResponseDto> {
    requireKey(key);
    await this.write(context, key, value, { replaces, expected });
    return { key, value };
  }

  /** Deletes a value; 404 when there is none, and 412 when one was expected or it is in no expected state. */
  async remove(context: RequestContext, key: string, expected?: ExpectedTags): Promise<void> {
    requireKey(key);
    const changes = await this.write(context, key, null, { replaces: null, expected });
    if (changes.length === 0) throw notFound('The stored value');
  }

  private write(context: RequestContext, key: string, value: string | null, { replaces, expected }: Condition): Promise<NamedTextChange[]> {
    return this.unitOfWork.run(context, async (tx) => {
      const callerId = await holdCaller(tx);
      if (expected !== undefined) {
        await TEXTS.hold(tx.manager, callerId);
        storedTextState.require(expected, await TEXTS.one(tx.manager, callerId, key));
      }
      const changes = await TEXTS.write(tx.manager, callerId, new Map([[key, value]]));
      // Writes of one owner come one after the other, so that nothing comes between. Without a change the value was there already.
      const [{ before } = { before: value }] = changes;
      if (replaces !== null && replaces !== (before ?? '')) throw conflict('Another text is now stored under this key.');
      return changes;
    });
  }
}

function requireKey(key: string): void {
  if (key.length <= MAXIMUM_KEY_LENGTH && STORAGE_KEY.test(key)) return;
  throw invalidField('key', `key must have 1 to ${MAXIMUM_KEY_LENGTH} letters, digits and hyphens.`);
}
