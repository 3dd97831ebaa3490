export * from './base64.js';
export * from './composites.js';
export * from './enumeration.js';
export * from './limits.js';
export * from './primitives.js';
export * from './timestamp.js';
export * from './wire-type.js';
