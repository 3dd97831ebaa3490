import { describeHubs } from './description/describe-hubs.js';

console.log(describeHubs().trimEnd());
