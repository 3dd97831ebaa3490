/** A key that devices register with: its secret is known to this page only. */
export interface DeployKey {
  readonly id: string;
  readonly secret: string;
  /** Made on this page. Such a key gets the customer in whose scope the page is. */
  readonly isNew: boolean;
}
