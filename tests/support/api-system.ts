/** The copy that the API tests share; each test owns its data in it. */
import type { TestProject } from 'vitest/node';
import { startTestSystem } from './system.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    systemUrl: string;
    stripeUrl: string;
    databaseUrl: string;
    databaseToken: string;
    setupToken: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const system = await startTestSystem();
  project.provide('systemUrl', system.url);
  project.provide('stripeUrl', system.stripe?.url ?? '');
  project.provide('databaseUrl', system.database.url);
  project.provide('databaseToken', system.database.authToken);
  project.provide('setupToken', system.setupToken);
  return () => system.stop();
}
