import { Injectable } from '@nestjs/common';

import { tenantOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { invalidFields, notFound } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import type { ChangedFieldValueDto, ChangeDeviceNotesRequestDto, DeviceNotesDto, ListedDeviceDto } from './device-field.dto.js';
import type { DeviceField } from './device-field.entity.js';
import { DeviceFieldsRepository } from './device-fields.repository.js';
import { DeviceNotesRepository } from './device-notes.repository.js';
import { readFieldValue } from './field-value.js';

/** The editable state of a device's notes, whatever the order of the fields. */
export const deviceNotesState = new TaggedState(({ note, values }: DeviceNotesDto) => ({
  note,
  values: Object.fromEntries(values.map(({ fieldId, value }) => [fieldId, value])),
}));

const DEVICE = 'The device';

/** Notes of users about devices, and values of the fields of their tenant. */
@Injectable()
export class DeviceNotesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DeviceNotesRepository,
    private readonly fields: DeviceFieldsRepository,
    private readonly authorization: AuthorizationService,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The note and the values of a device; 404 when the caller's tenant has none with this id. */
  async get({ manager, principal }: RequestContext, deviceId: string): Promise<DeviceNotesDto> {
    const notes = await this.repository.find(manager, deviceId, tenantOf(principal));
    if (notes === null) throw notFound(DEVICE);
    return notes;
  }

  /** The values of listed fields on those of the devices that the caller may read. */
  async listed({ manager, principal }: RequestContext, deviceIds: readonly string[]): Promise<ListedDeviceDto[]> {
    const scope = await this.authorization.deviceScope(principal, Permission.DeviceRead, 'd', 1);
    return this.repository.listed(manager, scope, deviceIds);
  }

  /** Changes the note and the values of a device. 400 for a value that its field does not take, 412 when they are in no expected state. */
  async change(
    context: RequestContext,
    deviceId: string,
    { note, values }: ChangeDeviceNotesRequestDto,
    expected?: ExpectedTags,
  ): Promise<DeviceNotesDto> {
    await this.unitOfWork.run(context, async (tx) => {
      const device = await this.repository.hold(tx.manager, deviceId, tenantOf(tx.principal));
      const before = await this.repository.find(tx.manager, deviceId, tenantOf(tx.principal));
      if (device === null || before === null) throw notFound(DEVICE);
      deviceNotesState.require(expected, before);
      await this.fields.keep(
        tx.manager,
        device.tenantId,
        values.map(({ fieldId }) => fieldId),
      );
      const fields = await this.fields.list(tx.manager, device.tenantId);
      const known = new Map(before.values.map(({ fieldId, value }) => [fieldId, value]));
      const wanted = readValues(fields, known, values);
      const changed = new Map([...wanted].filter(([fieldId, value]) => (known.get(fieldId) ?? null) !== value));
      const noteAfter = note === undefined ? before.note : (note ?? '').trimEnd();
      const isNoteChanged = noteAfter !== before.note;
      if (!isNoteChanged && changed.size === 0) return;
      if (isNoteChanged) await this.repository.writeNote(tx.manager, deviceId, noteAfter);
      if (changed.size > 0) await this.repository.writeValues(tx.manager, deviceId, changed);
      const stateOf = (text: string, valueOf: (fieldId: string) => string | null) => ({
        ...(isNoteChanged ? { note: text } : {}),
        ...(changed.size > 0 ? { fields: namedValues(fields, [...changed.keys()], valueOf) } : {}),
      });
      await this.changeLog.write(tx, {
        action: 'device-notes-updated',
        target: ChangeTarget.Device,
        targetId: deviceId,
        tenantId: device.tenantId,
        before: stateOf(before.note, (fieldId) => known.get(fieldId) ?? null),
        after: stateOf(noteAfter, (fieldId) => changed.get(fieldId) ?? null),
      });
    });
    return this.get(context, deviceId);
  }
}

/**
 * The given values by field, in their stored form; null removes one. 400 for an unknown field and for a value that its field does not take,
 * unless it is the `known` one: the choices of a field may have changed since.
 */
function readValues(
  fields: readonly DeviceField[],
  known: ReadonlyMap<string, string>,
  given: readonly ChangedFieldValueDto[],
): ReadonlyMap<string, string | null> {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const errors: Record<string, string[]> = {};
  const values = new Map<string, string | null>();
  for (const [at, { fieldId, value }] of given.entries()) {
    const field = byId.get(fieldId);
    if (field === undefined) errors[`values[${at}].fieldId`] = ["The device's tenant has no such field."];
    else if (value === null || value.trim() === '') values.set(fieldId, null);
    else if (value === known.get(fieldId)) values.set(fieldId, value);
    else {
      const read = readFieldValue(field, value);
      if ('problem' in read) errors[`values[${at}].value`] = [read.problem];
      else values.set(fieldId, read.value);
    }
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return values;
}

/** Values by the name of their field, for readers of the change log. */
function namedValues(
  fields: readonly DeviceField[],
  fieldIds: readonly string[],
  valueOf: (fieldId: string) => string | null,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(fields.filter(({ id }) => fieldIds.includes(id)).map(({ id, name }) => [name, valueOf(id)]));
}
