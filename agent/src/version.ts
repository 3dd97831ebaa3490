/** The agent's version in the four parts of the contract. A test holds it equal to the package's version. */
export const AGENT_VERSION = '0.1.0.0';
