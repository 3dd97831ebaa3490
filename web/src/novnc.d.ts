/** The part of noVNC that is used here; the package brings no types. */
declare module '@novnc/novnc' {
  export interface RfbCredentials {
    readonly username?: string;
    readonly password?: string;
    readonly target?: string;
  }

  export interface RfbEvents {
    readonly clipboard: CustomEvent<{ readonly text: string }>;
    readonly connect: CustomEvent;
    readonly credentialsrequired: CustomEvent<{ readonly types: readonly (keyof RfbCredentials)[] }>;
    readonly desktopname: CustomEvent<{ readonly name: string }>;
    readonly disconnect: CustomEvent<{ readonly clean: boolean }>;
    readonly securityfailure: CustomEvent<{ readonly status: number; readonly reason?: string }>;
    readonly serververification: CustomEvent;
  }

  export default class RFB {
    constructor(target: HTMLElement, channel: WebSocket, options?: { readonly shared?: boolean; readonly credentials?: RfbCredentials });
    background: string;
    scaleViewport: boolean;
    viewOnly: boolean;
    addEventListener<K extends keyof RfbEvents>(name: K, listener: (event: RfbEvents[K]) => void): void;
    approveServer(): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(): void;
    sendCredentials(credentials: RfbCredentials): void;
    sendCtrlAltDel(): void;
  }
}
