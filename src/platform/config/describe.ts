import { describeOptions } from './describe-options.js';

console.log(describeOptions().trimEnd());
