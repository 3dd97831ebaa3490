import type { PermissionDefinition } from '../../src/authorization/permission.js';
import type { ApiAnswer } from '../support/api-client.js';
import type { Scene } from './scene.js';

/*
 * What the outside may rely on of each route, written by hand and apart from the code, and how the tests call it. The tests
 * of test/contract compare it with what the code declares and describes; those of test/api/matrix call every route here.
 */

/** A call that succeeds for any caller that may make it. Where the tenant stands in the request is known from the route. */
export interface ValidCall {
  /** What it answers. */
  readonly status: number;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the service asks for beside the permission that the route declares. */
  readonly also?: readonly PermissionDefinition[];
  /** What it answers to service accounts, where it needs a user. */
  readonly statusWithoutUser?: number;
  /** For routes that look at each device by itself: the device of the call, and those that an answer reaches. */
  readonly deviceId?: string;
  readonly reached?: (answer: ApiAnswer) => readonly string[];
}

/** Makes a call, with what it is about. */
export type MakeCall = (scene: Scene) => ValidCall | Promise<ValidCall>;

/**
 * A type in words: a schema's name, or a type of JSON with its format and bounds, as `list of string(uuid) maxItems=1000`;
 * `or null` and `, required` where they apply.
 */
export type TypeText = string;

export interface Route {
  /**
   * Who may call: `anonymous`, `authenticated`, or a permission and what it must be held on, as `device.read on device:
   * path deviceId`; after `or` the permission on the server that does as well.
   */
  readonly access: string;
  /** Where the request names its tenant; `as the object` where the tenant is what the route is about. */
  readonly tenant?: 'query' | 'body' | 'path' | 'path, as the object';
  /** For how long answers may be kept. */
  readonly cacheSeconds?: number;
  /** Query parameters other than the tenant. */
  readonly query?: Readonly<Record<string, TypeText>>;
  /** A schema, or a media type other than JSON. */
  readonly body?: TypeText;
  /** What each status of success answers: a schema, a media type other than JSON, or `nothing`. */
  readonly answers?: Readonly<Record<number, TypeText>>;
  /**
   * Statuses of refusals, all Problem Details. Any route may answer 500, any but an anonymous one 401, and any that works
   * within a tenant 404.
   */
  readonly errors?: readonly number[];
  /** A valid call. A route without one is part of the contract and not there yet. */
  readonly call?: MakeCall;
  /** The kinds of entries that the call makes in the change log. */
  readonly writes?: readonly string[];
}

/** The members of an object with their types, the names of an enumeration, or its names with their numbers. */
export type Schema = Readonly<Record<string, TypeText>> | readonly string[] | Readonly<Record<string, number>>;
export type Schemas = Readonly<Record<string, Schema>>;

export interface Resource {
  /** The group of its operations in the description of the API; a resource without one is not described there. */
  readonly tag?: string;
  /** By method and path. */
  readonly routes: Readonly<Record<string, Route>>;
  /** What only these routes take and answer. */
  readonly schemas?: Schemas;
}
