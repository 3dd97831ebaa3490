import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, twelve seconds or more of a run of all tests on two cores, the longest first. */
const LONGEST = [
  'test/browser/pages.e2e-spec.ts',
  'test/browser/refusals.e2e-spec.ts',
  'test/process/agent-bundle.e2e-spec.ts',
  'test/process/npm-start.e2e-spec.ts',
  'test/browser/keyboard.e2e-spec.ts',
  'test/process/refused-start.e2e-spec.ts',
  'test/api/matrix/access-matrix.e2e-spec.ts',
  'test/browser/forms.e2e-spec.ts',
  'test/process/recovery.e2e-spec.ts',
  'test/browser/signing-in.e2e-spec.ts',
  'test/browser/devices.e2e-spec.ts',
  'test/browser/preferences.e2e-spec.ts',
  'test/browser/texts.e2e-spec.ts',
  'test/browser/passkeys.e2e-spec.ts',
  'test/process/start.e2e-spec.ts',
  'test/browser/permissions.e2e-spec.ts',
  'test/browser/shell.e2e-spec.ts',
  'test/hubs/endings/endings.e2e-spec.ts',
  'libs/local-postgres/src/local-postgres.spec.ts',
  'test/process/nodes.e2e-spec.ts',
  'test/process/first-administrator.e2e-spec.ts',
  'test/browser/screen.e2e-spec.ts',
  'libs/signalr/test/package.spec.ts',
  'test/api/devices/device-file-system.e2e-spec.ts',
  'test/process/attacks/agent-uninstall.e2e-spec.ts',
  'test/process/demo.e2e-spec.ts',
  'test/hubs/matrix/viewer-hub.e2e-spec.ts',
  'libs/signalr/test/flow.spec.ts',
  'test/api/matrix/internal-access.e2e-spec.ts',
  'test/api/matrix/bad-input.e2e-spec.ts',
  'test/api/attacks/pipelined-requests.e2e-spec.ts',
  'test/hubs/endings/random-frames.e2e-spec.ts',
  'agent/src/agent.spec.ts',
  'test/api/system/openapi.e2e-spec.ts',
  'test/browser/desktop.e2e-spec.ts',
  'test/browser/device.e2e-spec.ts',
  'test/api/system/long-lists.e2e-spec.ts',
  'test/process/stop.e2e-spec.ts',
  'test/browser/story.e2e-spec.ts',
  'test/browser/people.e2e-spec.ts',
  'test/browser/navigation.e2e-spec.ts',
  'test/browser/structure.e2e-spec.ts',
  'test/api/matrix/named-tenant.e2e-spec.ts',
  'test/contract/generated-client.spec.ts',
  'test/api/attacks/password-settings.e2e-spec.ts',
  'test/api/platform/compression.e2e-spec.ts',
  'test/browser/access.e2e-spec.ts',
  'test/browser/watch.e2e-spec.ts',
  'test/hubs/attacks/unfinished-messages.e2e-spec.ts',
  'test/api/access/permission-assignment-sets.e2e-spec.ts',
  'test/api/people/administrator-bootstrap.e2e-spec.ts',
  'test/api/attacks/sign-in.e2e-spec.ts',
  'test/hubs/attacks/negotiations.e2e-spec.ts',
  'test/api/system/background-jobs.e2e-spec.ts',
  'test/api/access/last-administrator.e2e-spec.ts',
  'test/api/attacks/flooded-parser.e2e-spec.ts',
  'test/hubs/attacks/pipelined-calls.e2e-spec.ts',
  'test/hubs/devices/update-writer.e2e-spec.ts',
  'test/hubs/live/agent-connection.e2e-spec.ts',
  'test/api/devices/long-searches.e2e-spec.ts',
  'test/process/vnc.e2e-spec.ts',
  'test/hubs/devices/device-transfers.e2e-spec.ts',
  'test/api/matrix/change-log.e2e-spec.ts',
  'agent/src/terminal/terminal.spec.ts',
  'test/hubs/devices/device-downloads.e2e-spec.ts',
  'test/hubs/live/viewer-presence.e2e-spec.ts',
  'agent/src/wrong-clock.spec.ts',
  'test/hubs/live/agent-streams.e2e-spec.ts',
  'test/process/attacks/agent-leftovers.e2e-spec.ts',
  'test/api/devices/internal-file-system.e2e-spec.ts',
  'test/browser/account.e2e-spec.ts',
  'test/hubs/attacks/anonymous-agents.e2e-spec.ts',
  'test/api/attacks/guesses.e2e-spec.ts',
  'test/api/people/external-sign-up.e2e-spec.ts',
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
