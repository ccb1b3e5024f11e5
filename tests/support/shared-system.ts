/** The copy that the API tests of a process share. Each test owns its data in it. */
import { openSharedSystem } from './in-process-system.ts';

export const sharedSystem = await openSharedSystem();
