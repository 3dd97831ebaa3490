import { Body, Delete, Post, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { CreateInstallerKeyResponseDto, InstallerKeyRequestDto, RenameNamedInstallerKeyRequestDto } from './installer-key.dto.js';
import { InstallerKeysController } from './installer-keys.controller.js';

export class InstallerKeysInternalController extends internalTwinOf(InstallerKeysController, 'api/installer-keys', {
  list: { bareList: true },
  usages: { path: 'usages/:keyId', bareList: true },
}) {
  @TwinOf(InstallerKeysController, 'create')
  @Post()
  createInTenant(@Context() context: TenantContext, @Body() body: InstallerKeyRequestDto): Promise<CreateInstallerKeyResponseDto> {
    return this.create(context, { ...body, tenantId: context.tenantId });
  }

  @TwinOf(InstallerKeysController, 'rename')
  @Put('rename')
  renameNamed(@Context() context: TenantContext, @Body() { id, friendlyName }: RenameNamedInstallerKeyRequestDto): Promise<void> {
    return this.rename(context, id, { friendlyName });
  }

  @TwinOf(InstallerKeysController, 'remove')
  @Delete(':id')
  override remove(@Context() context: TenantContext, @GuidParam('id', 'Id of the installer key.') id: string): Promise<void> {
    return super.remove(context, id);
  }
}
