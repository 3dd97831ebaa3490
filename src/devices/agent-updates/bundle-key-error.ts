/** The key that signs agent bundles cannot be used. The message tells an operator what to do. */
export class BundleKeyError extends Error {
  override readonly name = 'BundleKeyError';
}
