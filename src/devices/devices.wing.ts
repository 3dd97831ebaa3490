import { Module } from '@nestjs/common';

import { AgentBundlesModule } from './agent-bundles/agent-bundles.module.js';
import { AgentUpdatesModule } from './agent-updates/agent-updates.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { DeploymentOptionsModule } from './deployment-options/deployment-options.module.js';
import { DesktopPreviewModule } from './desktop-preview/desktop-preview.module.js';
import { DeviceActivityModule } from './device-activity/device-activity.module.js';
import { DeviceGroupsModule } from './device-groups/device-groups.module.js';
import { DeviceLinkModule } from './device-link/device-link.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { FileSystemModule } from './file-system/file-system.module.js';
import { InstallerKeysModule } from './installer-keys/installer-keys.module.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { TagsModule } from './tags/tags.module.js';

/** Devices, their agents, and the work on them. */
@Module({
  imports: [
    AgentBundlesModule,
    AgentUpdatesModule,
    CustomersModule,
    DeploymentOptionsModule,
    DesktopPreviewModule,
    DeviceActivityModule,
    DeviceGroupsModule,
    DeviceLinkModule,
    DevicesModule,
    FileSystemModule,
    InstallerKeysModule,
    InventoryModule,
    TagsModule,
  ],
})
export class DevicesWing {}
