export { FINAL, headerSize, LENGTH_IN_2, LENGTH_IN_8, MASKED, MAXIMUM_SHORT, Opcode, writeHeader } from './frames.js';
export { type Memory, plainMemory } from './memory.js';
export { MessagePackWriter } from './messagepack-writer.js';
