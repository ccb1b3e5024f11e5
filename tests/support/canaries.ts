/** Words that stand where secrets do, so that a test sees where a secret would have gone. */
import { settingNames, settings } from '#worker/settings.ts';

/** The settings that nobody but the Worker may know. */
export const secretNames = settingNames.filter((name) => settings[name].kind === 'secret').toSorted();

/** What a secret is in the environment of the build that the copies of a run share. */
export const buildCanary = (name: string): string => `canary-in-the-build-of-${name}`;
