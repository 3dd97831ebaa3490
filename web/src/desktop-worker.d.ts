declare module '#desktop-worker' {
  /** Address of the worker of desktops. */
  const address: string;
  export default address;
}
