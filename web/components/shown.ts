/*
 * What the page of components shows, as a test writes it into the address: the name of an example, and what it is given.
 */

/** The dialogs that run an act. The act is a request, such as `POST /acts/save`; `GET /stored` reads what two of them are about. */
export interface ShownDialogs {
  readonly name: 'dialogs';
  /** The objects of the dialogs. */
  readonly subject: string;
}

/** A grid that sorts its rows and keeps its selection. */
export interface ShownGrid {
  readonly name: 'grid';
  readonly rows: readonly { readonly id: string; readonly size: number }[];
}

/** A permission that the user of the matrix has; with `group` it comes through that group. */
export interface HeldPermission {
  readonly permission: 'device.read' | 'device.delete' | 'tenant.users.write';
  readonly effect: 'Allow' | 'Deny';
  readonly isEnabled?: boolean;
  readonly group?: string;
  /** Customer at whose devices it holds; without one it holds in the tenant. */
  readonly customer?: string;
}

/** The matrix of a user's permissions, in the tenant of the session that the service answers. */
export interface ShownMatrix {
  readonly name: 'matrix';
  readonly held: readonly HeldPermission[];
}

/** The uploads to a device, and a button that starts them all. */
export interface ShownUploads {
  readonly name: 'uploads';
  readonly deviceId: string;
  readonly files: readonly { readonly name: string; readonly size: number }[];
}

export type Shown = ShownDialogs | ShownGrid | ShownMatrix | ShownUploads;
