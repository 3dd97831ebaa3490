import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, twelve seconds or more of a run of all tests on two cores, the longest first. */
const LONGEST = [
  'test/process/agent-bundle.e2e-spec.ts',
  'test/browser/refusals.e2e-spec.ts',
  'test/process/database-away.e2e-spec.ts',
  'test/browser/pages.e2e-spec.ts',
  'test/process/service-lock.e2e-spec.ts',
  'test/api/matrix/access-matrix.e2e-spec.ts',
  'test/browser/devices.e2e-spec.ts',
  'test/process/refused-start.e2e-spec.ts',
  'test/browser/keyboard.e2e-spec.ts',
  'test/process/npm-start.e2e-spec.ts',
  'test/process/stops-under-load.e2e-spec.ts',
  'test/browser/signing-in.e2e-spec.ts',
  'test/browser/preferences.e2e-spec.ts',
  'test/hubs/endings/endings.e2e-spec.ts',
  'test/browser/device.e2e-spec.ts',
  'test/process/start.e2e-spec.ts',
  'test/process/lives-of-nodes.e2e-spec.ts',
  'test/browser/texts.e2e-spec.ts',
  'test/process/recovery.e2e-spec.ts',
  'test/browser/forms.e2e-spec.ts',
  'test/browser/permissions.e2e-spec.ts',
  'test/browser/two-editors.e2e-spec.ts',
  'agent/src/agent.spec.ts',
  'test/process/nodes.e2e-spec.ts',
  'test/browser/shell.e2e-spec.ts',
  'test/process/transfers-at-stop.e2e-spec.ts',
  'libs/signalr/test/package.spec.ts',
  'test/process/first-administrator.e2e-spec.ts',
  'test/process/attacks/agent-uninstall.e2e-spec.ts',
  'libs/local-postgres/src/local-postgres.spec.ts',
  'test/browser/passkeys.e2e-spec.ts',
  'test/browser/screen.e2e-spec.ts',
  'test/api/devices/device-file-system.e2e-spec.ts',
  'test/api/system/long-lists.e2e-spec.ts',
  'agent/bundle/install-sh.spec.ts',
  'test/process/stop.e2e-spec.ts',
  'test/contract/generated-client.spec.ts',
  'test/api/attacks/lock-outs.e2e-spec.ts',
  'test/browser/people.e2e-spec.ts',
  'src/platform/database/invalidation/invalidation-bus.spec.ts',
  'test/api/platform/compression.e2e-spec.ts',
  'agent/src/wrong-clock.spec.ts',
  'test/process/demo.e2e-spec.ts',
  'test/api/attacks/sign-in.e2e-spec.ts',
  'test/browser/access.e2e-spec.ts',
  'test/hubs/endings/random-frames.e2e-spec.ts',
  'test/hubs/matrix/viewer-hub.e2e-spec.ts',
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
    // A worker serves one project: those of a project follow each other.
    const { projects } = this.ctx;
    const place = ({ project }: TestSpecification): number => -projects.indexOf(project);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b) || rank(a) - rank(b));
  }
}
