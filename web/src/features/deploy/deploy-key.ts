/** A key that devices register with: its secret is known to this page only. */
export interface DeployKey {
  readonly id: string;
  readonly secret: string;
  /** Made on this page: every device that registers with it is one that was waited for. */
  readonly isNew: boolean;
}
