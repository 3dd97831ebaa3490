import { Injectable, Logger } from '@nestjs/common';

import { messageOf } from '../../platform/common/errors/errors.js';
import { parseVersion } from '../../platform/common/identifiers/version.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { PublishedFiles } from './published-files.js';

/** Time for which a version is used before it is read again, in milliseconds. */
const KEPT_MS = 60_000;
const FILE = 'Version.txt';
const MAXIMUM_BYTES = 256;

/** The version of the agent that the server distributes, read from `downloads/Version.txt` at most once a minute. */
@Injectable()
export class AgentVersion {
  private readonly logger = new Logger('AgentVersion');
  private reading: Promise<string | null> | null = null;
  private readAt = 0;

  constructor(
    private readonly files: PublishedFiles,
    private readonly clock: Clock,
  ) {}

  /** The published version of two to four numbers; null when no valid version is published. */
  current(): Promise<string | null> {
    const now = this.clock.milliseconds();
    // It may have been put back.
    if (this.reading === null || Math.abs(now - this.readAt) >= KEPT_MS) {
      this.readAt = now;
      this.reading = this.read();
    }
    return this.reading;
  }

  private async read(): Promise<string | null> {
    try {
      const text = await this.files.text(FILE, MAXIMUM_BYTES);
      if (text === null || parseVersion(text) !== null) return text;
      this.logger.warn(`${FILE} does not contain a version of two to four numbers, so no version counts as published.`);
    } catch (error) {
      this.logger.warn(`${FILE} cannot be read: ${messageOf(error)}`);
    }
    return null;
  }
}
