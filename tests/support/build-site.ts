/** Makes the built site and the Worker that every copy of a run shares, unless they are there. */
import { buildCanary, secretNames } from './canaries.ts';
import { startTestSystem } from './system.ts';

// Who deploys may have every secret in the environment: none of it may come into what is built.
for (const name of secretNames) process.env[name] = buildCanary(name);

const system = await startTestSystem();
await system.stop();
// The claims of its ports are held until the process ends.
process.exit(0);
