/** Builds what all copies of a run share, unless it exists: the site, the Worker, and a seeded database. */
import { rm } from 'node:fs/promises';
import { buildCanary, secretNames } from './canaries.ts';
import { makeSeededDatabase, templateDatabase } from './in-process-system.ts';
import { startTestSystem } from './system.ts';
import { bundleForNode } from './worker-bundle.ts';

// A deployer may have every secret in the environment. None of them may get into the build.
for (const name of secretNames) process.env[name] = buildCanary(name);

const system = await startTestSystem();
await system.stop();
await bundleForNode();
await rm(templateDatabase, { force: true });
await makeSeededDatabase(templateDatabase, 'demo');
// The process keeps its port claims until it ends.
process.exit(0);
