import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { CreateDeviceRequestDto } from '#libs/contracts';

import { SYSTEM } from '../../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { conflict, invalidField, notFound } from '../../../platform/common/errors/errors.js';
import { EMPTY_GUID } from '../../../platform/common/identifiers/guid.js';
import { Settings } from '../../../platform/config/settings.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { AgentVersion } from '../../agent-updates/agent-version.js';
import { InstallerKeyRedemption } from '../../installer-keys/installer-key-redemption.js';
import { DeviceEvents } from '../device-events.js';
import type { DeviceResponseDto } from '../device.dto.js';
import { toDeviceJson } from '../row/device-row.js';
import { readPublicKey } from '../updates/update-acceptance.js';
import { RegistrationAuthority } from './registration-authority.js';
import { refused } from './registration-rules.js';
import { OvertakenError, RegistrationWriter, type Registered } from './registration-writer.js';

/** Origin of a registration. */
export interface RegistrationOrigin {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/** Most attempts at a registration when other transactions register or delete the device. */
const MAXIMUM_ATTEMPTS = 3;

/**
 * Registers devices with installer keys. A device is added to the tenant of the key, even if the agent names another. All refusals that
 * could confirm a guess have the same message.
 */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly keys: InstallerKeyRedemption,
    private readonly authority: RegistrationAuthority,
    private readonly writer: RegistrationWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly agentVersion: AgentVersion,
    private readonly events: DeviceEvents,
  ) {}

  /** Registers a new or a known device: 400 for a bad key or body, 403 when the key's creator may not do it. */
  async register(request: CreateDeviceRequestDto, origin: RegistrationOrigin): Promise<DeviceResponseDto> {
    if (request.device.id === EMPTY_GUID) throw invalidField('device.id', 'device.id is required.');
    // Agents without a key omit it or send an empty text.
    const publicKey = request.publicKey === '' ? null : request.publicKey;
    if (publicKey !== null && typeof readPublicKey(publicKey) === 'string') {
      throw invalidField('publicKey', 'publicKey must be an Ed25519 key: base64 of 32 bytes.');
    }
    if (publicKey === null && this.settings.appOptions.requireDeviceKeys) {
      throw invalidField('publicKey', 'publicKey is required: this server takes devices with a key only.');
    }
    const context: RequestContext = { principal: SYSTEM, tenantId: null, manager: this.dataSource.manager, ...origin };
    const { row, answer, formerConnectionId, keyChange } = await this.attempt(context, { ...request, publicKey });
    const device = { id: row.id, tenantId: row.tenantId };
    this.events.emit('registered', { ...device, formerConnectionId, name: row.name, keyChange });
    this.events.emit('changed', device);
    return toDeviceJson(answer, await this.agentVersion.current());
  }

  /** 404 when every registration with this key would be refused. Neither uses the key nor deletes one that is used up. */
  async requireKey(id: string, secret: string): Promise<void> {
    const { manager } = this.dataSource;
    const owner = await this.keys.look(manager, id, secret);
    if (owner === null || !(await this.authority.hasCreator(manager, owner))) throw notFound('An installer key with this id and secret');
  }

  private async attempt(context: RequestContext, request: CreateDeviceRequestDto, attempt = 1): Promise<Registered> {
    const owner = await this.keys.check(context, request.installerKeyId, request.installerKeySecret);
    if (owner === null) throw refused();
    try {
      return await this.unitOfWork.run(context, (tx) => this.writer.write(tx, owner, request));
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
      if (attempt === MAXIMUM_ATTEMPTS) throw conflict('Another request is registering the device.');
      return this.attempt(context, request, attempt + 1);
    }
  }
}
