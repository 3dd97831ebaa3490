export { type Memory, plainMemory } from './memory.js';
export { MessagePackWriter } from './messagepack-writer.js';
