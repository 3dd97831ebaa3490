import { messageOf } from '../../platform/common/errors/errors.js';
import { codeOf } from '../../platform/common/errors/system-error.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import type { OpenIdConnectSettings } from '../../platform/config/open-id-connect-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import { OpenIdConnectProvider } from '../../people/external-sign-in/open-id-connect-provider.js';
import { Area, fault, skipped, well, type Finding } from './finding.js';

/** Code of openid-client for a value that differs from the expected one, such as the issuer. */
const DIFFERS = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
const CERTIFICATE = /certificate|CERT_/i;

/** Findings about the OpenID Connect providers: the service reads their addresses and keys when a user signs in. */
export async function providerFindings({ openIdConnect }: Settings, clock: Clock): Promise<readonly Finding[]> {
  if (openIdConnect.length === 0) return [skipped(Area.Providers, 'No OpenID Connect provider is configured.')];
  return Promise.all(openIdConnect.map((provider) => findingOf(provider, clock)));
}

async function findingOf(settings: OpenIdConnectSettings, clock: Clock): Promise<Finding> {
  const { displayName, issuer } = settings;
  try {
    await new OpenIdConnectProvider(settings, clock).discover();
    return well(Area.Providers, `${displayName} answers at ${issuer}.`);
  } catch (error) {
    const reasons = reasonsOf(error);
    const reason = reasons.at(-1) ?? String(error);
    const code = codeOf(error) ?? '';
    if (code === DIFFERS) return fault('provider-issuer', `${displayName} names another issuer than ${issuer}.`);
    if (CERTIFICATE.test(reasons.join(' ')))
      return fault('provider-certificate', `The certificate of ${displayName} is not trusted: ${reason}`);
    return fault('provider-unreachable', `${displayName} cannot be used at ${issuer}: ${reason}`);
  }
}

/** Messages and codes of an error and of its causes. */
function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const message = messageOf(error) || (codeOf(error) ?? '');
  return [message, ...reasonsOf(error.cause)].filter((text) => text !== '');
}
