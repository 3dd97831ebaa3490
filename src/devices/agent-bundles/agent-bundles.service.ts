import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { conflict, notFound } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { OWN_PLATFORMS } from '../agent-updates/own-platforms.js';
import type { AgentBundleDto, AgentBundlesResponseDto } from './agent-bundles.dto.js';
import { BundleBuilder } from './bundle-builder.js';
import { BundleBuilds } from './bundle-builds.js';

/** The bundles of the service's own agent, for the page that installs it. */
@Injectable()
export class AgentBundlesService {
  constructor(
    private readonly builds: BundleBuilds,
    private readonly builder: BundleBuilder,
    private readonly authorization: AuthorizationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The bundles of all platforms. Only those who may change the server's settings read why a build has failed. */
  async list({ principal }: RequestContext): Promise<AgentBundlesResponseDto> {
    const [mayBuild, items] = await Promise.all([
      this.authorization.isAllowed(principal, Permission.ServerSettingsWrite, { kind: 'Server' }),
      Promise.all(OWN_PLATFORMS.map(({ platform }) => this.builds.status(platform))),
    ]);
    return {
      items: mayBuild ? items : items.map((item) => ({ ...item, failure: null })),
      canBuild: mayBuild && (await this.builder.isAvailable()),
    };
  }

  /** Has the bundle of a platform built, also if there is one. 404 for an unknown platform, 409 where none can be built. */
  async build(context: RequestContext, platform: string): Promise<AgentBundleDto> {
    if (!OWN_PLATFORMS.some((known) => known.platform === platform)) throw notFound('The platform');
    if (!(await this.builder.isAvailable())) {
      throw conflict(
        'This server cannot build agents: it runs without the sources. Publish bundles in downloads of its data folder instead.',
      );
    }
    await this.unitOfWork.run(context, (tx) =>
      this.changeLog.write(tx, {
        action: 'agent-bundle-build-requested',
        target: ChangeTarget.AgentBundle,
        targetId: null,
        tenantId: null,
        after: { platform },
      }),
    );
    this.builds.begin(platform);
    return this.builds.status(platform);
  }
}
