// The library has no other way to it: it uses nothing of the project.
export { eventually, settled } from '../../libs/signalr/test/support/eventually.js';
