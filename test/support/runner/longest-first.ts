import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest of a run of all tests on two cores, half a percent of it or more, the longest first. */
const LONGEST = [
  'test/browser/remote-desktop.e2e-spec.ts',
  'test/nodes/haproxy.e2e-spec.ts',
  'test/process/agent-bundle.e2e-spec.ts',
  'test/process/remote-control/session-ends.e2e-spec.ts',
  'test/process/doctor/doctor.e2e-spec.ts',
  'test/process/remote-control.e2e-spec.ts',
  'test/api/matrix/access-matrix.e2e-spec.ts',
  'test/browser/dialogs.e2e-spec.ts',
  'test/process/upgrade/killed-upgrade.e2e-spec.ts',
  'test/process/start.e2e-spec.ts',
  'test/process/backup/backup.e2e-spec.ts',
  'test/browser/refusals.e2e-spec.ts',
  'test/process/service-lock.e2e-spec.ts',
  'test/process/backup/killed-service-backups.e2e-spec.ts',
  'test/browser/desktop-touch.e2e-spec.ts',
  'test/process/npm-start.e2e-spec.ts',
  'test/process/refused-start.e2e-spec.ts',
  'test/browser/pages.e2e-spec.ts',
  'test/nodes/processes.e2e-spec.ts',
  'test/process/stops-under-load.e2e-spec.ts',
  'test/process/database-away.e2e-spec.ts',
  'test/browser/preferences.e2e-spec.ts',
  'test/browser/device.e2e-spec.ts',
  'test/browser/screen.e2e-spec.ts',
  'test/browser/texts.e2e-spec.ts',
  'test/browser/files.e2e-spec.ts',
  'test/nodes/faults/under-load.e2e-spec.ts',
  'test/process/nodes.e2e-spec.ts',
  'test/browser/devices.e2e-spec.ts',
  'test/process/recovery.e2e-spec.ts',
  'test/browser/signing-in.e2e-spec.ts',
  'agent/src/agent.spec.ts',
  'test/browser/keyboard.e2e-spec.ts',
  'test/process/transfers-at-stop.e2e-spec.ts',
  'test/browser/shell.e2e-spec.ts',
  'test/hubs/endings/endings.e2e-spec.ts',
  'test/browser/forms.e2e-spec.ts',
  'test/browser/permissions.e2e-spec.ts',
  'test/browser/two-editors.e2e-spec.ts',
  'test/process/backup/restored-installation.e2e-spec.ts',
  'test/process/audit/audit-verify.e2e-spec.ts',
  'libs/signalr/test/package.spec.ts',
  'test/nodes/faults/homes.e2e-spec.ts',
  'test/browser/webhooks.e2e-spec.ts',
  'libs/local-postgres/src/local-postgres.spec.ts',
  'test/api/devices/device-file-system.e2e-spec.ts',
  'test/browser/desktop.e2e-spec.ts',
  'test/process/remote-control/clipboard.e2e-spec.ts',
  'test/process/agent-bundle-request.e2e-spec.ts',
  'test/process/lives-of-nodes.e2e-spec.ts',
  'test/process/stop.e2e-spec.ts',
  'test/process/first-administrator.e2e-spec.ts',
  'test/process/upgrade/upgrade-beside-others.e2e-spec.ts',
  'test/browser/desktop-clipboard.e2e-spec.ts',
  'test/api/system/long-lists.e2e-spec.ts',
  'test/process/attacks/agent-uninstall.e2e-spec.ts',
  'test/browser/device-list.e2e-spec.ts',
  'test/process/forwarding.e2e-spec.ts',
  'test/browser/server-backups.e2e-spec.ts',
  'agent/bundle/install-sh.spec.ts',
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
