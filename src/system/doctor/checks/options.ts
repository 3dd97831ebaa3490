import { mustConfirmAddresses } from '../../../platform/config/mail-server.js';
import { OptionMistake } from '../../../platform/config/option-warnings.js';
import type { Settings } from '../../../platform/config/settings.js';
import { registrationFindings, SettingsFinding } from '../../server-settings/findings.js';
import type { FindingKind } from '../finding-kinds.js';
import { Area, fault, faultsOr, well, type Finding } from '../finding.js';

const KINDS: Readonly<Record<OptionMistake, FindingKind>> = {
  [OptionMistake.Unknown]: 'option-unknown',
  [OptionMistake.WithoutEffect]: 'option-without-effect',
  [OptionMistake.Contradiction]: 'options-contradict',
};

/** Networks that contain every address. */
const ALL_ADDRESSES = /^(?:0\.0\.0\.0|::)\/0$/;

/** Findings about the options alone: mistakes, and options that are risky together. */
export function optionFindings(settings: Settings): readonly Finding[] {
  const faults = [...settings.warnings.map(({ mistake, text }) => fault(KINDS[mistake], text)), ...riskyOptions(settings)];
  return faultsOr(faults, well(Area.Configuration, 'The configuration has no mistakes.'));
}

function riskyOptions({ appOptions, serverLifecycle, environment }: Settings): readonly Finding[] {
  const found: Finding[] = [];
  const { enableNetworkTrust, knownNetworks, allowAgentsToSelfBootstrap, agentClockSkewTolerance, enableSignalrDetailedErrors } =
    appOptions;
  if (enableNetworkTrust) found.push(fault('network-trusted', 'AppOptions:EnableNetworkTrust is on.'));
  else if (knownNetworks.some((network) => ALL_ADDRESSES.test(network))) {
    found.push(fault('network-trusted', 'AppOptions:KnownNetworks contains a network of all addresses.'));
  }
  if (allowAgentsToSelfBootstrap) {
    found.push(fault('devices-register-themselves', 'AppOptions:AllowAgentsToSelfBootstrap is on.'));
  }
  if (agentClockSkewTolerance === null) found.push(fault('updates-replayable', 'AppOptions:AgentClockSkewTolerance is empty.'));
  if (enableSignalrDetailedErrors && environment === 'production') {
    found.push(fault('errors-detailed', 'AppOptions:EnableSignalrDetailedErrors is on.'));
  }
  if (serverLifecycle.decommissionServer) found.push(fault('server-decommissioned', 'ServerLifecycle:DecommissionServer is on.'));
  return found;
}

/** The users of the server, as far as registration depends on them. */
export interface UsersOfServer {
  readonly exist: boolean;
  /** True if one of them administers the server. */
  readonly isAdministered: boolean;
}

/** Findings about open registration. A contradiction with the options of mail is one of the warnings. */
export function openRegistrationFindings(settings: Settings, { exist, isAdministered }: UsersOfServer): readonly Finding[] {
  const { findings } = registrationFindings(settings, {
    isFirstUser: !exist && !settings.appOptions.disableFirstUserSelfRegistration,
    isAdministered,
    mustBeConfirmed: mustConfirmAddresses(settings.appOptions),
    isMailSent: true,
  });
  const found: Finding[] = [];
  if (findings.includes(SettingsFinding.RegistrationForFirst)) found.push(fault('first-user-open', 'The server has no user yet.'));
  if (findings.includes(SettingsFinding.RegistrationWithoutAdministrator)) {
    found.push(fault('administrator-missing', 'Registration is open, but no user administers the server.'));
  }
  if (findings.includes(SettingsFinding.RegistrationUnconfirmed)) {
    found.push(fault('registration-unconfirmed', 'Registration is open to everyone, and e-mail addresses are not confirmed.'));
  }
  return found;
}
