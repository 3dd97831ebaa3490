import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { invalid, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { withChanges, type Changes } from '../../platform/common/resources/changes.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { MAXIMUM_FIELDS, type CreateDeviceFieldRequestDto, type DeviceFieldDto } from './device-field.dto.js';
import { DeviceField } from './device-field.entity.js';
import { DeviceFieldsRepository } from './device-fields.repository.js';
import { DeviceFieldType } from './field-value.js';

type Tx = InTransaction<TenantContext>;
type FieldValues = Pick<DeviceField, 'name' | 'isListed' | 'position' | 'choices'>;

/** The editable state of a field. */
export const deviceFieldState = new TaggedState(({ name, isListed, position, choices }: FieldValues) => ({
  name,
  isListed,
  position,
  choices,
}));

const FIELD = 'The field';
const UNIQUE_NAME = { uq_device_fields_tenant_id_name: 'A field with this name already exists.' };
/** Most values that one transaction removes with their field, because its rows stay locked until it ends. */
const VALUES_PER_TRANSACTION = 5_000;

/** The fields that a tenant defines for its devices. Every caller in the tenant sees all of them. */
@Injectable()
export class DeviceFieldsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: DeviceFieldsRepository,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
  ) {}

  /** The fields of the tenant in their order. */
  async list({ manager, tenantId }: TenantContext): Promise<DeviceFieldDto[]> {
    return (await this.repository.list(manager, tenantId)).map(dtoOf);
  }

  /** One field; 404 when the tenant has none with this id. */
  async get({ manager, tenantId }: TenantContext, id: string): Promise<DeviceFieldDto> {
    return dtoOf(found(await this.repository.list(manager, tenantId), id));
  }

  /** Defines a field, behind all others. 400 when the tenant has as many as it may, 409 when one has this name. */
  async create(context: TenantContext, request: CreateDeviceFieldRequestDto): Promise<DeviceFieldDto> {
    const { name, type, isListed } = request;
    const choices = choicesOf(type, request.choices);
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.tenants.hold(tx, tx.tenantId);
        const fields = await this.repository.hold(tx.manager, tx.tenantId);
        if (fields.length >= MAXIMUM_FIELDS) throw invalid(`A tenant can have at most ${MAXIMUM_FIELDS} fields. Delete one first.`);
        const position = fields.length;
        const field = { id: newGuid(), tenantId: tx.tenantId, createdAt: this.clock.now(), name, type, isListed, position, choices };
        await tx.manager.insert(DeviceField, field);
        await this.log(tx, 'device-field-created', field.id, undefined, { type, ...stateOf(field) });
        return dtoOf(field);
      },
      UNIQUE_NAME,
    );
  }

  /** Changes a field; its type stays. 412 when it is in no expected state. */
  async update(context: TenantContext, id: string, changes: Changes<FieldValues>, expected?: ExpectedTags): Promise<DeviceFieldDto> {
    return this.unitOfWork.run(
      context,
      async (tx) => {
        const fields = await this.repository.hold(tx.manager, tx.tenantId);
        const field = found(fields, id);
        deviceFieldState.require(expected, field);
        const wanted = withChanges(stateOf(field), changes);
        const after = {
          ...wanted,
          choices: choicesOf(field.type, wanted.choices),
          position: Math.min(wanted.position, fields.length - 1),
        };
        const { name, isListed, choices, position } = after;
        await tx.manager.update(DeviceField, { id, tenantId: tx.tenantId }, { name, isListed, choices });
        const others = fields.map((other) => other.id).filter((other) => other !== id);
        await this.repository.arrange(tx.manager, tx.tenantId, others.toSpliced(position, 0, id));
        await this.log(tx, 'device-field-updated', id, stateOf(field), after);
        return dtoOf({ ...field, ...after });
      },
      UNIQUE_NAME,
    );
  }

  /**
   * Deletes a field with its values on all devices. If there are many, most are removed first, in separate transactions: after a failure in
   * between, the field still exists with fewer values. 412 when it is in no expected state.
   */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    let hasMore = true;
    while (hasMore) {
      hasMore = await this.unitOfWork.run(context, async (tx) => {
        const fields = await this.repository.hold(tx.manager, tx.tenantId);
        const field = found(fields, id);
        deviceFieldState.require(expected, field);
        const removed = await this.repository.removeValues(tx.manager, tx.tenantId, id, VALUES_PER_TRANSACTION);
        if (removed === VALUES_PER_TRANSACTION) return true;
        await tx.manager.delete(DeviceField, { id, tenantId: tx.tenantId });
        const others = fields.map((other) => other.id).filter((other) => other !== id);
        await this.repository.arrange(tx.manager, tx.tenantId, others);
        await this.log(tx, 'device-field-deleted', id, { type: field.type, ...stateOf(field) }, undefined);
        return false;
      });
    }
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.DeviceField, targetId, tenantId: tx.tenantId, before, after });
  }
}

/** The field with the id; 404 when there is none. */
function found(fields: readonly DeviceField[], id: string): DeviceField {
  const field = fields.find((candidate) => candidate.id === id);
  if (field === undefined) throw notFound(FIELD);
  return field;
}

/** The choices of a field without blank and repeated ones; 400 when the type needs some, or takes none. */
function choicesOf(type: DeviceFieldType, given: readonly string[]): string[] {
  const choices = [...new Set(given.map((choice) => choice.trim()).filter((choice) => choice !== ''))];
  if (type === DeviceFieldType.Choice && choices.length === 0) throw invalidField('choices', 'choices must hold at least one text.');
  if (type !== DeviceFieldType.Choice && choices.length > 0) {
    throw invalidField('choices', 'choices must be empty: only a field of type Choice has choices.');
  }
  return choices;
}

function stateOf({ name, isListed, position, choices }: FieldValues): FieldValues {
  return { name, isListed, position, choices };
}

function dtoOf({ id, name, type, isListed, position, choices }: DeviceFieldDto): DeviceFieldDto {
  return { id, name, type, isListed, position, choices };
}
