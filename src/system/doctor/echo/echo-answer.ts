/** A request of the doctor as the service saw it. Headers are null where they were missing. */
export interface EchoAnswer {
  /** Proves that this installation answers. */
  readonly proof: string;
  /** True if the service believes the `X-Forwarded-For` header of the program that connected to it. */
  readonly isProxyTrusted: boolean;
  readonly forwardedFor: string | null;
  readonly forwardedProto: string | null;
  readonly forwardedHost: string | null;
  /** Bytes of the body that arrived. */
  readonly bytes: number;
}
