import { Area, fault, type Finding, well } from '../finding.js';
import { type CertificateFacts, daysLeft, inDays, SHORT_DAYS } from './certificate.js';

/** A server of NATS that the doctor could not use. */
export interface UnusableNats {
  readonly address: string;
  /** It was not reached, does not know the key or permits it too little, or takes too little in one message. */
  readonly problem: 'unreachable' | 'refused' | 'limits';
  readonly reason: string;
}

/** A server of NATS as the doctor found it. */
export interface NatsFacts {
  readonly address: string;
  readonly problem: null;
  readonly version: string;
  readonly roundTripMs: number;
  /** Addresses of the servers whose messages arrived here, its own among them. */
  readonly hears: readonly string[];
  /** True if the key may also use subjects that no node needs. */
  readonly isWide: boolean;
  /** Null without TLS. */
  readonly certificate: CertificateFacts | null;
}

/** A node's account of itself. */
export interface NodeAccount {
  readonly id: string;
  readonly clockAheadMs: number;
  readonly isClockRight: boolean;
  /** The option and a digest of its value, for each option that should be the same on all nodes. */
  readonly options: Readonly<Record<string, string>>;
  /** The path and the digest of each file that agents are installed from. */
  readonly files: Readonly<Record<string, string>>;
}

/** Failure to get the account of a node at its internal port. `refused`: it does not accept the proof. */
export interface NoAccount {
  readonly problem: 'refused' | 'unreachable';
  readonly reason: string;
}

/** A node of the database's list. */
export interface NodeFacts {
  readonly id: string;
  readonly release: string;
  /** Host and port of its internal port; null while it has not said it. */
  readonly address: string | null;
  /** True once it has run long enough to be heard. */
  readonly isSettled: boolean;
  readonly isHeard: boolean;
  readonly answer: NodeAccount | NoAccount;
}

/** Several nodes as the doctor found them. */
export interface NodesFacts {
  readonly servers: readonly (NatsFacts | UnusableNats)[];
  readonly nodes: readonly NodeFacts[];
  /** The public address at which an internal port answers; null for none. */
  readonly published: string | null;
}

/** Round trip above which NATS counts as slow, in milliseconds. */
const SLOW_MS = 50;
/** Most names in one sentence. */
const MAXIMUM_NAMES = 5;

const isUsable = (server: NatsFacts | UnusableNats): server is NatsFacts => server.problem === null;
const isAccount = (answer: NodeAccount | NoAccount): answer is NodeAccount => !('problem' in answer);

/** Findings about NATS, the nodes of the list, and their internal ports. */
export function nodesFindings({ servers, nodes, published }: NodesFacts, now: number): readonly Finding[] {
  const faults = [
    ...natsFaults(servers, now),
    ...nodes.flatMap((node) => nodeFaults(node, servers.some(isUsable))),
    ...differences(nodes),
    ...(published === null ? [] : [fault('node-port-published', `The internal port of a node answers at ${published}.`)]),
  ];
  const sound = servers.filter(isUsable).map(({ address, version, roundTripMs }) => {
    return well(Area.Nodes, `NATS ${version} at ${address} answers in ${roundTripMs.toFixed(1)} ms.`);
  });
  if (faults.length > 0) return [...faults, ...sound];
  return [...sound, well(Area.Nodes, nodes.length === 0 ? 'No node runs.' : `${counted(nodes.length, 'node')} reached and heard.`)];
}

function natsFaults(servers: readonly (NatsFacts | UnusableNats)[], now: number): readonly Finding[] {
  const usable = servers.filter(isUsable);
  const without = servers.flatMap((server) => (isUsable(server) ? [] : [unusable(server, usable.length > 0)]));
  const divided = usable.flatMap((server) => {
    const unheard = usable.filter(({ address }) => !server.hears.includes(address)).map(({ address }) => address);
    return unheard.length === 0 ? [] : [fault('nats-divided', `${server.address} does not pass on what nodes say at ${listed(unheard)}.`)];
  });
  return [...without, ...divided, ...usable.flatMap((server) => serverFaults(server, now))];
}

function unusable({ address, problem, reason }: UnusableNats, areOthersUsable: boolean): Finding {
  if (problem === 'refused') return fault('nats-refused', `NATS at ${address} refuses the nodes: ${reason}`);
  if (problem === 'limits') return fault('nats-limits', `NATS at ${address}: ${reason}`);
  return fault(areOthersUsable ? 'nats-server-unreachable' : 'nats-unreachable', `NATS at ${address} is not reached: ${reason}`);
}

function serverFaults({ address, roundTripMs, isWide, certificate }: NatsFacts, now: number): readonly Finding[] {
  const faults: Finding[] = [];
  if (roundTripMs > SLOW_MS) faults.push(fault('nats-slow', `NATS at ${address} answers in ${Math.round(roundTripMs)} ms.`));
  if (isWide) faults.push(fault('nats-permissions', `NATS at ${address} permits the nodes more than dm.>.`));
  if (certificate === null || daysLeft(certificate, now) >= SHORT_DAYS) return faults;
  const end = certificate.validTo.toISOString().slice(0, 10);
  faults.push(fault('nats-certificate', `The certificate of NATS at ${address} ends on ${end}, ${inDays(daysLeft(certificate, now))}.`));
  return faults;
}

function nodeFaults(node: NodeFacts, isNatsReached: boolean): readonly Finding[] {
  const name = nameOf(node);
  const faults: Finding[] = [];
  if (isNatsReached && node.isSettled && !node.isHeard) {
    faults.push(fault('node-unheard', `${name} reports to the database, and is not heard over NATS.`));
  }
  const { answer } = node;
  if (!isAccount(answer)) {
    const kind = answer.problem === 'refused' ? 'node-secret' : 'node-unreachable';
    return [...faults, fault(kind, `${name} does not answer at its internal port: ${answer.reason}`)];
  }
  if (answer.id !== node.id) faults.push(fault('node-address', `${name} is not at that address: the node ${answer.id} answers there.`));
  else if (!answer.isClockRight) {
    const difference = `${Math.abs(answer.clockAheadMs)} ms ${answer.clockAheadMs > 0 ? 'ahead of' : 'behind'}`;
    faults.push(fault('node-clock', `The clock of ${lowered(name)} is ${difference} that of the database.`));
  }
  return faults;
}

/** Faults of nodes that are not alike. */
function differences(nodes: readonly NodeFacts[]): readonly Finding[] {
  const accounts = nodes.map(({ answer }) => answer).filter(isAccount);
  const releases = [...new Set(nodes.map(({ release }) => release))].toSorted();
  const options = differing(accounts.map((account) => account.options));
  const files = differing(accounts.map((account) => account.files));
  return [
    ...(releases.length > 1 ? [fault('node-releases', `The nodes are of the releases ${listed(releases)}.`)] : []),
    ...(options.length > 0 ? [fault('node-options', `The nodes have different values of ${listed(options)}.`)] : []),
    ...(files.length > 0 ? [fault('node-files', `The nodes offer different files: ${listed(files)}.`)] : []),
  ];
}

/** The names whose digests differ, or that only some of the accounts have. */
function differing(accounts: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const names = new Set(accounts.flatMap((account) => Object.keys(account)));
  return [...names].filter((name) => new Set(accounts.map((account) => account[name])).size > 1).toSorted();
}

const nameOf = ({ id, address }: NodeFacts): string => (address === null ? `The node ${id}` : `The node ${id} (${address})`);
const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? ' is' : 's are'}`;

function listed(names: readonly string[]): string {
  const rest = names.length - MAXIMUM_NAMES;
  return rest > 0 ? `${names.slice(0, MAXIMUM_NAMES).join(', ')} and ${rest} more` : names.join(', ');
}
