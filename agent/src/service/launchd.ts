import type { AgentService, ServiceManager } from './service-manager.js';

/** Others get no rights. A property list has no octal numbers. */
const UMASK = 0o077;

const pathOf = (service: string): string => `/Library/LaunchDaemons/${service}.plist`;

/** The text of a job of launchd that keeps the agent running from boot on, unless it ends by itself. */
function plistText({ name, command, dataDirectory }: AgentService): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
${linesOf(command)}${commandEnd(dataDirectory)}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>${UMASK}</integer>
</dict>
</plist>
`;
}

const linesOf = (words: readonly string[]): string => words.map((word) => `    <string>${escaped(word)}</string>\n`).join('');

const commandEnd = (dataDirectory: string): string => linesOf(['run', '--data-dir', dataDirectory]);

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * The older commands of launchctl, which take the place of a loaded job at once. They succeed in any case, so whether the job is there is
 * asked after them.
 */
export const LAUNCHD: ServiceManager = {
  title: 'launchd',
  manages: ({ platform }) => platform === 'darwin',
  nameOf: (service) => service,
  files: (service) => [{ path: pathOf(service.name), text: plistText(service), mode: 0o644 }],
  commandEnd,
  ownPaths: () => [],
  reload: () => [],
  // All jobs of the folder are loaded when the machine starts.
  enable: () => [],
  restart: (service) => [
    ['launchctl', 'unload', pathOf(service)],
    ['launchctl', 'load', '-w', pathOf(service)],
    ['launchctl', 'list', service],
  ],
  stop: (service) => [['launchctl', 'unload', pathOf(service)]],
  disable: () => [],
  release: () => [],
};
