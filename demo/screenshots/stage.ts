import type { Page } from 'playwright-core';
import type { ClientConfig } from 'pg';

import type { Camera } from './camera.js';

/** Parts that the chapters of the story have in common. */
export interface Stage {
  readonly page: Page;
  readonly camera: Camera;
  readonly serviceUrl: string;
  readonly database: ClientConfig;
  /** The port on which the front desk shows its screen; null where no screen can be shown. */
  readonly screenPort: number | null;
  /** Starts the agent of the front desk with a key, and leaves it running. */
  startDevice(this: void, args: readonly string[], secret: string): Promise<void>;
}
