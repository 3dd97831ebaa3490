import {
  agentClient,
  agentHub,
  currentViewerMethods,
  obsoleteFormsOf,
  REFUSED_REASON,
  viewerClient,
  type HubMethod,
  type ObsoleteForm,
  type ViewerMethod,
} from '#libs/contracts';

import { DeviceTimes } from '../../../devices/device-link/device-times.js';
import { SIGNING } from './chapters.js';
import { code, linkTo, table } from './markdown.js';
import { describeParameter, describeRecord, titleOf, typesOf } from './types.js';

/** The limits of a logon token on a method, by the place that names the desktop sessions. */
const LOGON_TOKENS = {
  request: 'a desktop session that the token does not list is refused',
  process: 'a process is refused unless it belongs to a desktop session that the token lists',
  both: 'a desktop session that the token does not list is refused, and so is a process outside the listed sessions',
  answer: 'desktop sessions that the token does not list are left out',
  all: 'refused where the token lists desktop sessions',
} as const;

const ON_THE_VIEWER = ' on the viewer';
const ON_THE_AGENT = ' on the agent';

/** The methods that one side calls on the other. */
export interface Direction {
  readonly title: string;
  readonly introduction: string;
  /** Appended to a method's name in its heading, so that each heading is unique. */
  readonly suffix: string;
  /** The service serves the methods, or calls them. */
  readonly verb: 'served' | 'called';
  readonly methods: readonly DescribedMethod[];
}

/** A method with its rules as list items. */
interface DescribedMethod {
  readonly method: HubMethod;
  readonly rules: readonly string[];
  /** For the overview; absent if no method of the direction needs a permission. */
  readonly permission?: string;
}

/** Every direction, in the order of the document. */
export const directions: readonly Direction[] = [
  {
    title: 'Viewer to server',
    introduction:
      'Methods whose name ends in 2 take one record. They replaced forms with positional arguments that some clients still call. ' +
      'The method names its obsolete form.',
    suffix: '',
    verb: 'served',
    methods: currentViewerMethods.map((method) => ({ method, rules: viewerRules(method), permission: permissionOf(method) })),
  },
  {
    title: 'Server to viewer',
    introduction: 'The service calls these methods on connected viewers.',
    suffix: ON_THE_VIEWER,
    verb: 'called',
    methods: plain(viewerClient),
  },
  {
    title: 'Agent to server',
    introduction:
      'An agent connection represents a device once a report of that device is accepted (see ' +
      `${linkTo(SIGNING)}). A stream that the server did not request from this agent ends with the error ` +
      '`Nobody waits for this stream.`',
    suffix: '',
    verb: 'served',
    methods: plain(agentHub),
  },
  {
    title: 'Server to agent',
    introduction:
      'The service calls these methods on the connection whose report was accepted last. An agent has ' +
      `${new DeviceTimes().answerMs / 1000} seconds to answer. An answer of null counts as no answer.`,
    suffix: ON_THE_AGENT,
    verb: 'called',
    methods: Object.values<HubMethod>(agentClient).map((method) => ({ method, rules: callersOf(method) })),
  },
];

function plain(methods: Readonly<Record<string, HubMethod>>): DescribedMethod[] {
  return Object.values(methods).map((method) => ({ method, rules: [] }));
}

/** The overview of a direction and a section for each of its methods. `inline` names the records that are described in these sections. */
export function describeDirection(direction: Direction, inline: ReadonlySet<string>): string {
  const { title, introduction, suffix, verb, methods } = direction;
  const hasPermissions = methods.some(({ permission }) => permission !== undefined);
  const header = ['Method', ...(hasPermissions ? ['Permission'] : []), verb === 'served' ? 'Served' : 'Called'];
  const rows = methods.map(({ method: { name, pending }, permission }) => [
    linkTo(`${name}${suffix}`, name),
    ...(hasPermissions ? [permission ?? ''] : []),
    pending === true ? 'not yet' : 'yes',
  ]);
  const sections = methods.map((described) => describeMethod(direction, described, inline));
  return [`## ${title}`, introduction, table(header, rows), ...sections].join('\n\n');
}

function describeMethod({ suffix, verb }: Direction, { method, rules }: DescribedMethod, inline: ReadonlySet<string>): string {
  const { name, description, parameters, parameterNames, returns, pending } = method;
  const args = parameters.map((parameter, index) => `${code(parameterNames[index])}, ${describeParameter(parameter)}`);
  const facts = [
    `**Arguments:** ${args.length === 0 ? 'none' : args.join('; ')}`,
    `**Answer:** ${returns === undefined ? 'none' : describeParameter(returns)}`,
    ...rules,
  ];
  const records = [...typesOf([method]).records.values()].filter((record) => inline.has(record.name));
  return [
    `### ${name}${suffix}`,
    pending === true ? `${description}\n\n_Not ${verb} yet._` : description,
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...records.map((record) => `#### ${titleOf(record)}\n\n${describeRecord(record)}`),
  ].join('\n\n');
}

function permissionOf({ access }: ViewerMethod): string {
  return access.to === 'every viewer' ? '' : code(access.permission);
}

/** The limit on a method by the desktop sessions that a logon token lists; null when there is none. */
function desktopsOf({ desktopSessions, desktopProcess, reachesAllDesktops }: ViewerMethod): string | null {
  if (reachesAllDesktops === true) return LOGON_TOKENS.all;
  if (desktopProcess !== undefined) return desktopSessions === undefined ? LOGON_TOKENS.process : LOGON_TOKENS.both;
  return desktopSessions === undefined ? null : LOGON_TOKENS[desktopSessions.in];
}

function viewerRules(method: ViewerMethod): string[] {
  const { invalid, ordered, relaysTo, exceptionReason } = method;
  const lines = [`**Permission:** ${accessOf(method)}`];
  if (invalid !== undefined) lines.push(`**Invalid request:** a failure, ${code(invalid.reason)}`);
  if (ordered !== undefined) lines.push(`**Order:** calls for the same ${ordered.by} reach the agent in the order of the calls`);
  const desktops = desktopsOf(method);
  if (desktops !== null) lines.push(`**Logon tokens:** ${desktops}`);
  if (relaysTo !== undefined) lines.push(`**Passed on to:** ${linkTo(`${relaysTo}${ON_THE_AGENT}`, relaysTo)}`);
  if (exceptionReason !== undefined) lines.push(`**Any other fault:** a failure, ${code(exceptionReason)}`);
  for (const form of obsoleteFormsOf(method)) lines.push(`**Obsolete form:** ${obsoleteForm(method, form)}`);
  return lines;
}

function accessOf({ access, unknownDeviceReason }: ViewerMethod): string {
  if (access.to === 'every viewer') return 'none';
  const permission = `${code(access.permission)} on`;
  if (access.to === 'each device') return `${permission} each device of ${code(access.member)}; devices without it are skipped`;
  const refusal = `${permission} the device of ${code(access.member)}; without it a failure, ${code(REFUSED_REASON)}`;
  return unknownDeviceReason === undefined
    ? `${refusal}, as for a device that does not exist`
    : `${refusal}; for a device that does not exist ${code(unknownDeviceReason)}`;
}

function obsoleteForm(method: ViewerMethod, form: ObsoleteForm): string {
  const call = code(`${form.name}(${form.parameterNames.join(', ')})`);
  if (form.returns === undefined) return `${call}; always answers nothing`;
  if (form.returns === method.returns) return `${call}; answers the same`;
  return `${call}; answers ${describeParameter(form.returns)}, empty after any failure`;
}

/** The viewer methods that call this method of the agent. */
function callersOf({ name }: HubMethod): string[] {
  const callers = currentViewerMethods.filter(({ relaysTo }) => relaysTo === name);
  return callers.length === 0 ? [] : [`**Called for:** ${callers.map((caller) => linkTo(caller.name)).join(', ')}`];
}
