/** The copy that the API tests of a process share; each test owns its data in it. */
import { openSharedSystem } from './in-process-system.ts';

export const sharedSystem = await openSharedSystem();
