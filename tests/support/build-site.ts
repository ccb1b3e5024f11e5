/** Makes the built site and the Worker that every copy of a run shares, unless they are there. */
import { startTestSystem } from './system.ts';

const system = await startTestSystem();
await system.stop();
// The claims of its ports are held until the process ends.
process.exit(0);
