/** Words in place of secrets, so that a test sees where a secret would leak. */
import { settingNames, settings } from '#worker/settings.ts';

/** The settings that only the Worker may know. */
export const secretNames = settingNames.filter((name) => settings[name].kind === 'secret').toSorted();

/** The value of a secret in the environment of the build that the copies of a run share. */
export const buildCanary = (name: string): string => `canary-in-the-build-of-${name}`;
