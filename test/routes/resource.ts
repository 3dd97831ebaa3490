import type { PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import type { ApiAnswer } from '../support/application/api-client.js';
import type { Scene } from './scene.js';

/*
 * Promises to clients for each route, written by hand and independently of the code, and its call in the tests.
 * The tests in test/contract compare it with what the code declares and describes; those in test/api/matrix call every
 * route.
 */

/** A call that succeeds for every caller with the required permission. The route determines where the request names its tenant. */
export interface ValidCall {
  /** The status of the answer. */
  readonly status: number;
  /** The sentence of the answer, if that is a refusal. */
  readonly detail?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Permissions that the service requires besides the one that the route declares. */
  readonly also?: readonly PermissionDefinition[];
  /** The status for service accounts, on routes that need a user. */
  readonly statusWithoutUser?: number;
  /**
   * For routes that check each device separately: the device of the call, and a function that reads the reached devices
   * from the answer.
   */
  readonly deviceId?: string;
  readonly reached?: (answer: ApiAnswer) => readonly string[];
}

/** Creates the objects of a call and returns the call. */
export type MakeCall = (scene: Scene) => ValidCall | Promise<ValidCall>;

/**
 * A type in words: the name of a schema, or a JSON type with format and bounds, such as `list of string(uuid)
 * maxItems=1000`, followed by `or null` and `, required` where they apply.
 */
type TypeText = string;

export interface Route {
  /**
   * Permitted callers: `anonymous`, `authenticated`, `signed in`, or a permission and its target, such as `device.read on device: path
   * deviceId`. After `or` follows the server permission that also allows it.
   */
  readonly access: string;
  /** Part of the request with its tenant; `as the object` if the route is about the tenant itself; `caller` for that of the caller; `query or caller` if callers of a tenant may omit it. */
  readonly tenant?: 'query' | 'query or caller' | 'body' | 'path' | 'path, as the object' | 'caller';
  /** Sessions whose user must have given a recent proof of identity: all of them, or those of programs with bearer tokens only. */
  readonly proof?: 'all' | 'programs';
  /** Longest time for which answers may be cached, in seconds. */
  readonly cacheSeconds?: number;
  /** Query parameters other than the tenant. */
  readonly query?: Readonly<Record<string, TypeText>>;
  /** A schema, or a media type other than JSON. */
  readonly body?: TypeText;
  /** The body for each success status: a schema, a media type other than JSON, or `nothing`. */
  readonly answers?: Readonly<Record<number, TypeText>>;
  /**
   * The error statuses of the route, all with Problem Details. Besides, every route may answer 500, every route except
   * anonymous ones 401, and every route inside a tenant 404.
   */
  readonly errors?: readonly number[];
  /** The statuses of the answers that carry the tag of what people can change, as `ETag`. */
  readonly tagged?: readonly number[];
  /**
   * The route that answers the tag of what the call changes; the call takes that tag in `If-Match`. Segments of its path are those of the
   * call, or members of the call's body: of the same name, or `name`.
   */
  readonly ifMatch?: string;
  /** A valid call. A route without one belongs to the contract but does not exist yet. */
  readonly call?: MakeCall;
  /** The kinds of change log entries that the call writes. */
  readonly writes?: readonly string[];
}

/** The members of an object with their types, the names of an enumeration, or its names with their numbers. */
export type Schema = Readonly<Record<string, TypeText>> | readonly string[] | Readonly<Record<string, number>>;
export type Schemas = Readonly<Record<string, Schema>>;

export interface Resource {
  /** The group of its operations in the API description. A resource without one is not described there. */
  readonly tag?: string;
  /** Routes by method and path. */
  readonly routes: Readonly<Record<string, Route>>;
  /** Schemas that only these routes use. */
  readonly schemas?: Schemas;
}
