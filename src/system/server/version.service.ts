import { Injectable } from '@nestjs/common';

import { AgentVersion } from '../../devices/agent-updates/agent-version.js';
import { PublishedFiles } from '../../devices/agent-updates/published-files.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { ServerVersion } from '../../platform/node/server-version.js';

const RELEASE_NOTES = 'ReleaseNotes.md';
/** Longest release notes that are served, in bytes. */
const MAXIMUM_RELEASE_NOTES_BYTES = 256 * 1024;

/** The versions of the server and of the distributed agent. */
@Injectable()
export class VersionService {
  constructor(
    private readonly agentVersion: AgentVersion,
    private readonly serverVersion: ServerVersion,
    private readonly files: PublishedFiles,
  ) {}

  /** The version of the published agent; 404 when none is published. */
  async agent(): Promise<string> {
    const version = await this.agentVersion.current();
    if (version === null) throw notFound('The agent version');
    return version;
  }

  /** The version of this service. */
  server(): string {
    return this.serverVersion.text;
  }

  /** The published release notes in Markdown; 404 when none are published. */
  async releaseNotes(): Promise<string> {
    const notes = await this.files.text(RELEASE_NOTES, MAXIMUM_RELEASE_NOTES_BYTES);
    if (notes === null) throw notFound('The file with the release notes');
    return notes;
  }
}
