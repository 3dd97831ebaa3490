import type { Page } from 'playwright-core';
import type { ClientConfig } from 'pg';

import type { Camera } from './camera.js';
import type { Workplace } from './workplace.js';

export const PHONE = { width: 390, height: 780 };

/** Parts that the chapters of the story have in common. */
export interface Stage {
  readonly page: Page;
  readonly camera: Camera;
  readonly serviceUrl: string;
  readonly database: ClientConfig;
  /** The port on which the front desk shows its screen; null where no screen can be shown. */
  readonly screenPort: number | null;
  /** Its desktop; null where no desktop can be shown. */
  readonly workplace: Workplace | null;
  /** Starts the agent of the front desk with a key, and leaves it running. */
  startDevice(this: void, args: readonly string[], secret: string): Promise<void>;
}
