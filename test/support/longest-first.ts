import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, about ten seconds or more on a quiet machine, the longest first. */
const LONGEST = [
  'libs/local-postgres/src/local-postgres.spec.ts',
  'test/process/recovery.e2e-spec.ts',
  'test/process/refused-start.e2e-spec.ts',
  'agent/src/agent.spec.ts',
  'test/api/matrix/access-matrix.e2e-spec.ts',
  'test/process/agent-bundle.e2e-spec.ts',
  'test/process/npm-start.e2e-spec.ts',
  'test/browser/passkeys.e2e-spec.ts',
  'test/hubs/endings/endings.e2e-spec.ts',
  'test/process/start.e2e-spec.ts',
  'libs/signalr/test/package.spec.ts',
  'test/hubs/endings/random-frames.e2e-spec.ts',
  'test/process/attacks/agent-uninstall.e2e-spec.ts',
  'test/api/device-file-system.e2e-spec.ts',
  'test/process/stop.e2e-spec.ts',
  'test/process/demo.e2e-spec.ts',
  'test/api/long-lists.e2e-spec.ts',
  'test/api/compression.e2e-spec.ts',
  'test/api/matrix/bad-input.e2e-spec.ts',
  'test/hubs/matrix/viewer-hub.e2e-spec.ts',
  'test/contract/generated-client.spec.ts',
  'test/hubs/device-transfers.e2e-spec.ts',
  'libs/local-postgres/src/binaries.spec.ts',
  'test/hubs/update-writer.e2e-spec.ts',
  'agent/src/wrong-clock.spec.ts',
  'test/api/desktop-preview.e2e-spec.ts',
  'test/hubs/device-listings.e2e-spec.ts',
  'test/process/vnc.e2e-spec.ts',
  'test/api/matrix/random-rules.e2e-spec.ts',
  'test/api/matrix/names.e2e-spec.ts',
  'test/api/matrix/foreign-ids.e2e-spec.ts',
  'test/hubs/relay.e2e-spec.ts',
  'test/api/interactive-login.e2e-spec.ts',
  'test/api/attacks/sign-in.e2e-spec.ts',
];

/**
 * Begins with the files that take longest, so that no worker is left with one of them while the others have nothing to do. A run that
 * remembers no earlier one, as on a fresh clone, would begin with the largest files.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rank = ({ moduleId }: TestSpecification): number => {
      const position = LONGEST.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
      return position === -1 ? LONGEST.length : position;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
