/** What the agent reports about itself: four parts, as the contract has it. A test keeps it equal to the package's version. */
export const AGENT_VERSION = '0.1.0.0';
