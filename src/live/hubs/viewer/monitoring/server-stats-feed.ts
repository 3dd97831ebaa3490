import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import { viewerClient } from '#libs/contracts';

import { Permission } from '../../../../access/authorization/permissions/permission.js';
import { messageOf } from '../../../../platform/common/errors/errors.js';
import type { ServerStatsDto } from '../../../../system/server/server-stats.dto.js';
import { ServerStatsService } from '../../../../system/server/server-stats.service.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';
import { ViewerAccess } from '../connections/viewer-access.js';

/** The shortest time between two pushes. */
const PUSH_INTERVAL_MS = 5_000;

/** Pushes the server's figures to the viewers that may read them, whenever a figure has changed. */
@Injectable()
export class ServerStatsFeed {
  private readonly logger = new Logger('ServerStatsFeed');
  /** Every viewer of this node, with the figures that it received last. */
  private readonly told = new Map<ConnectedViewer, string>();
  private isPushing = false;

  constructor(
    private readonly access: ViewerAccess,
    private readonly stats: ServerStatsService,
    private readonly dataSource: DataSource,
  ) {}

  /** Adds a viewer that connected. It gets the current figures with the next push. */
  arrived(viewer: ConnectedViewer): void {
    this.told.set(viewer, '');
  }

  /** Removes a viewer that disconnected. */
  left(viewer: ConnectedViewer): void {
    this.told.delete(viewer);
  }

  /**
   * Sends the figures to each viewer that may read them and does not have them yet. Reads nothing from the database
   * when there is no such viewer.
   */
  @Interval(PUSH_INTERVAL_MS)
  async push(): Promise<void> {
    if (this.isPushing) return;
    this.isPushing = true;
    try {
      const readers = await this.readers();
      if (readers.length > 0) this.tell(readers, await this.stats.get({ manager: this.dataSource.manager }));
    } catch (error) {
      this.logger.warn(`Pushing the server's figures failed and will be repeated: ${messageOf(error)}`);
    } finally {
      this.isPushing = false;
    }
  }

  private async readers(): Promise<ConnectedViewer[]> {
    const readers: ConnectedViewer[] = [];
    for (const viewer of this.told.keys()) {
      if (await this.access.mayOnServer(viewer, Permission.ServerTelemetryRead)) readers.push(viewer);
    }
    return readers;
  }

  private tell(readers: readonly ConnectedViewer[], stats: ServerStatsDto): void {
    const figures = JSON.stringify(stats);
    for (const viewer of readers) {
      // A viewer that has disconnected must not be added again. A viewer that reads too slowly gets a later push.
      if (!this.told.has(viewer) || this.told.get(viewer) === figures || viewer.connection.isCongested) continue;
      viewer.connection.send(viewerClient.ReceiveServerStats, [stats]);
      this.told.set(viewer, figures);
    }
  }
}
