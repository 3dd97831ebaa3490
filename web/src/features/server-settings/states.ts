import type { AgentBundle } from '../../api/devices/agent-bundles.js';
import type { ServerOption, SettingsFinding, SettingsState } from '../../api/system/server-settings.js';

/** True if a browser at `origin` is elsewhere than at the public address. */
export const differs = (address: string | null, origin: string): boolean => address !== null && new URL(address).origin !== origin;

/** State of the agents: one platform is enough to install, and a failed build is for an administrator. */
export function stateOfBundles(bundles: readonly AgentBundle[]): SettingsState {
  if (bundles.some(({ state }) => state === 'Failed')) return 'NeedsAttention';
  return bundles.some(({ version }) => version !== null) ? 'SetUp' : 'NotSetUp';
}

const WITHOUT_MAIL: readonly SettingsFinding[] = ['MailNotSent', 'MailIncomplete', 'MailNeedsAddress'];

/** True if the server sends mail, or keeps it in development. */
export const sendsMail = (findings: readonly { readonly kind: SettingsFinding }[]): boolean =>
  !findings.some(({ kind }) => WITHOUT_MAIL.includes(kind));

/** Value of the option with this key; empty without one. */
export const valueOf = (options: readonly ServerOption[], key: string): string => options.find((option) => option.key === key)?.value ?? '';

/** `smtp.example.org:587`, or empty without a mail server. */
export function mailServerOf(options: readonly ServerOption[]): string {
  const host = valueOf(options, 'AppOptions:SmtpHost');
  return host === '' ? '' : `${host.includes(':') ? `[${host}]` : host}:${valueOf(options, 'AppOptions:SmtpPort')}`;
}

/** `Devices <devices@example.org>`, as far as it is set. */
export function senderOf(options: readonly ServerOption[]): string {
  const address = valueOf(options, 'AppOptions:SmtpEmail');
  return [valueOf(options, 'AppOptions:SmtpDisplayName'), address === '' ? '' : `<${address}>`].filter((part) => part !== '').join(' ');
}

/** A text in parts: every second part stood between backticks. */
export const withCode = (text: string): readonly string[] => text.split('`');
