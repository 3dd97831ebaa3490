import { messageOf } from '../../platform/common/errors/errors.js';
import type { Clock } from '../../platform/common/runtime/clock.js';
import type { Settings } from '../../platform/config/settings.js';
import { hostInUrl } from '../../platform/config/url-text.js';
import { addressFindings, SettingsFinding } from '../server-settings/findings.js';
import { certificateFindings, daysLeft } from './checks/certificate.js';
import { CLAIMED_ADDRESS, forwardedFindings } from './checks/proxy.js';
import type { EchoAnswer } from './echo/echo-answer.js';
import { ECHO_PATH, ECHO_TOKEN_HEADER, echoProof, makeEchoToken } from './echo/echo-token.js';
import { Area, fault, skipped, well, type Finding } from './finding.js';
import { inUnits } from '../backups/describe-manifest.js';
import { ask, type Answered } from './probes/ask.js';
import { certificateFacts } from './probes/certificate.js';
import { announce, sendWhole, WHOLE_BODY, type BodyCourse } from './probes/echo-bodies.js';
import { echoSocket, type SocketCourse } from './probes/echo-socket.js';

/** An examination of the public address. */
export interface AddressExamination {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Key of the tokens by which the service knows its doctor; null before the first start of this release. */
  readonly secret: Buffer | null;
  /** Length of the silence through the proxy, in milliseconds; 0 leaves it out. */
  readonly silenceMs: number;
  /** Called before the silence. */
  readonly onSilence: () => void;
}

const TIMEOUT_MS = 10_000;
const LOCAL_TIMEOUT_MS = 3_000;
/** Statuses with which proxies answer in place of a service that they do not reach. */
const BAD_GATEWAY = new Set([502, 503, 504]);

/** The doctor and its public address, once that is known. */
interface Addressed extends AddressExamination {
  readonly url: URL;
}

/** Findings about the public address and the proxy before the service. */
export async function publicAddressFindings(examination: AddressExamination): Promise<readonly Finding[]> {
  const { settings } = examination;
  const { publicUrl } = settings.appOptions;
  const faults = configuredFaults(settings);
  if (publicUrl === '') {
    return [...faults, skipped(Area.Address, 'Not reached from here, because AppOptions:PublicUrl is not set.')];
  }
  const addressed = { ...examination, url: new URL(publicUrl) };
  const certificate = await certificateFindingsOf(addressed);
  if (certificate.some(({ kind }) => kind === 'public-url-unreachable')) return [...faults, ...certificate, proxySkipped()];
  return [...faults, ...certificate, ...(await reachedFindings(addressed))];
}

/** Findings about the address in the configuration. */
function configuredFaults(settings: Settings): Finding[] {
  const { publicUrl } = settings.appOptions;
  const { findings } = addressFindings(settings);
  const found: Finding[] = [];
  if (findings.includes(SettingsFinding.AddressMissing) && settings.environment === 'production') {
    found.push(fault('public-url-missing', 'AppOptions:PublicUrl is not set.'));
  }
  if (findings.includes(SettingsFinding.AddressUnencrypted)) found.push(fault('public-url-unencrypted', `${publicUrl} is not encrypted.`));
  if (findings.includes(SettingsFinding.AddressWithoutDomain))
    found.push(fault('public-url-without-domain', `${publicUrl} has no domain name.`));
  return found;
}

async function certificateFindingsOf({ url, clock }: Addressed): Promise<readonly Finding[]> {
  if (url.protocol !== 'https:') return [];
  try {
    const facts = await certificateFacts(url, TIMEOUT_MS);
    const now = clock.milliseconds();
    const found = certificateFindings(facts, now);
    return found.length > 0 ? found : [well(Area.Address, `The certificate of ${facts.host} is good for ${daysLeft(facts, now)} days.`)];
  } catch (error) {
    return [unreachable(url, error)];
  }
}

async function reachedFindings(addressed: Addressed): Promise<readonly Finding[]> {
  const { url, secret } = addressed;
  const token = tokenFor(addressed);
  const headers = { [ECHO_TOKEN_HEADER]: token, 'x-forwarded-for': CLAIMED_ADDRESS };
  let answered: Answered;
  try {
    answered = await ask({ url: new URL(ECHO_PATH, url), headers, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    return [unreachable(url, error), proxySkipped()];
  }
  if (BAD_GATEWAY.has(answered.status)) {
    return [fault('proxy-without-service', `${url.origin} answers ${answered.status}.`), proxySkipped()];
  }
  if (secret === null) {
    return [skipped(Area.Proxy, 'Not checked, because the database has no key of the doctor yet: start this release of the service.')];
  }
  const seen = echoOf(answered, secret, token);
  if (seen === null) {
    return [fault('public-url-elsewhere', `${url.origin} answers ${answered.status}, and not as this service does.`), proxySkipped()];
  }
  const reached = well(Area.Address, `${url.origin} leads to this service.`);
  const faults = [...forwardedFindings(url, seen), ...(await passageFindings(addressed))];
  return [
    reached,
    ...(faults.some(({ kind }) => kind !== null) ? faults : [...faults, well(Area.Proxy, 'Headers, bodies and WebSockets pass.')]),
  ];
}

/** Findings about bodies and WebSockets that pass the proxy. */
async function passageFindings(addressed: Addressed): Promise<readonly Finding[]> {
  const { url, settings } = addressed;
  const { maxFileTransferSize } = settings.appOptions;
  const [whole, announced, sockets] = await Promise.all([
    sendWhole(url, tokenFor(addressed)),
    maxFileTransferSize > WHOLE_BODY ? announce(url, tokenFor(addressed), maxFileTransferSize) : null,
    socketFindings(addressed),
  ]);
  return [...bodyFindings(whole, announced), ...sockets];
}

function bodyFindings(whole: BodyCourse, announced: BodyCourse | null): Finding[] {
  const refused = [whole, announced].find((course) => course?.kind === 'Refused');
  if (refused?.kind === 'Refused') {
    return [fault('body-limited', `A body of ${inUnits(refused.bytes)} did not reach the service: ${refused.reason}.`)];
  }
  if (announced?.kind !== 'Buffered') return [];
  return [fault('uploads-buffered', `The beginning of a body of ${inUnits(announced.bytes)} did not reach the service.`)];
}

async function socketFindings(addressed: Addressed): Promise<Finding[]> {
  const { url, silenceMs, onSilence } = addressed;
  const opened = await echoSocket(url, tokenFor(addressed), 0);
  if (opened.kind !== 'Open') return [fault('websocket-refused', `A WebSocket to ${url.origin} was not possible: ${reasonOf(opened)}.`)];
  if (silenceMs === 0) {
    return [
      skipped(Area.Proxy, 'Silent connections: not checked here, because it takes more than a minute. `npm run doctor` checks them.'),
    ];
  }
  onSilence();
  const silent = await echoSocket(url, tokenFor(addressed), silenceMs);
  if (silent.kind === 'Open') return [];
  return [fault('silence-cut', `A WebSocket that was silent for ${silenceMs / 1000} s was lost: ${reasonOf(silent)}.`)];
}

function reasonOf(course: SocketCourse): string {
  if (course.kind === 'Refused') return course.reason;
  return course.kind === 'Cut' ? `it was cut after ${Math.round(course.afterMs / 1000)} s` : 'it is open';
}

/** The answer of the service; null if something else answered. */
function echoOf({ status, text }: Answered, secret: Buffer, token: string): EchoAnswer | null {
  if (status !== 200) return null;
  try {
    const answer = JSON.parse(text) as EchoAnswer | null;
    return answer?.proof === echoProof(secret, token) ? answer : null;
  } catch {
    // A page of another program.
    return null;
  }
}

const tokenFor = ({ secret, clock }: Addressed): string => (secret === null ? '' : makeEchoToken(secret, clock.milliseconds()));

const unreachable = (url: URL, error: unknown): Finding =>
  fault('public-url-unreachable', `${url.origin} cannot be reached from here: ${messageOf(error) || String(error)}.`);

const proxySkipped = (): Finding => skipped(Area.Proxy, 'Not checked, because the service does not answer at its public address.');

/** The address at which the service listens; null if it takes any free port. */
export function localAddressOf({ port, bindAddress }: Settings): URL | null {
  return port === 0 ? null : new URL(`http://${hostInUrl(bindAddress === '' ? '127.0.0.1' : bindAddress)}:${port}`);
}

/** Findings about the service at its own port, for a program beside it. */
export async function localServiceFindings(settings: Settings): Promise<readonly Finding[]> {
  const address = localAddressOf(settings);
  if (address === null) return [skipped(Area.Address, 'The service takes any free port, which is not known here.')];
  try {
    const { status } = await ask({ url: new URL('/alive', address), timeoutMs: LOCAL_TIMEOUT_MS });
    if (status === 200) return [well(Area.Address, `The service answers at ${address.origin}.`)];
    return [fault('service-not-running', `${address.origin} answers ${status}, and not as this service does.`)];
  } catch (error) {
    return [fault('service-not-running', `The service does not answer at ${address.origin}: ${messageOf(error) || String(error)}.`)];
  }
}
